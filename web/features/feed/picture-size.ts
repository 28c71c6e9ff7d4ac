import { coverOf } from '#contract/covers/paths.ts'

/** The size of an uploaded picture, for which the page reserves the space until the picture arrives. */
export function pictureSize(imageUrl: string) {
  const cover = coverOf(imageUrl)
  return cover && { width: cover.width, height: cover.height }
}
