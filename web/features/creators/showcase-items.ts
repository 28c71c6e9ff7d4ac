import type { ShowcaseItem } from '#contract/creators/showcase.ts'
import { initials } from '#web/ui/Avatar.tsx'
import showcase from './content/showcase.json'
import { allCreators } from './sample-creators.ts'

export type WrittenPiece = Pick<ShowcaseItem, 'creatorId' | 'type' | 'title' | 'likes' | 'content'>

/** The pieces of the showcase as they are before anybody likes one. A test checks the fields of the file. */
export const showcaseItems: readonly ShowcaseItem[] = (showcase as WrittenPiece[]).map((piece) => {
  const { name, genre } = allCreators.find(({ id }) => id === piece.creatorId)!
  return {
    id: `showcase-${piece.creatorId}`,
    ...piece,
    creatorName: name,
    avatar: initials(name),
    category: genre,
    isLiked: false,
  }
})
