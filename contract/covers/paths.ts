export interface Cover {
  id: string
  width: number
  height: number
}

export const coversFolder = '/uploads/covers'

/** Where a cover is shown. The address contains the size, so that a page can reserve the space. */
export const coverPath = ({ id, width, height }: Cover): string =>
  `${coversFolder}/${id}_${width}x${height}.webp`

const names = /^\/uploads\/covers\/([0-9a-f-]{36})_([1-9]\d{0,3})x([1-9]\d{0,3})\.webp$/

/** The cover of an address; undefined for any other address. */
export function coverOf(path: string): Cover | undefined {
  const [, id, width, height] = names.exec(path) ?? []
  return id === undefined ? undefined : { id, width: Number(width), height: Number(height) }
}
