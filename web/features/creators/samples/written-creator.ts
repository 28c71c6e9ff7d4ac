import type { Creator } from '#contract/creators/creator.ts'

/** A sample creator from what is particular about them. */
export const writtenCreator = (
  written: Omit<Creator, 'profileImage' | 'isFollowing' | 'firstLetter'>,
): Creator => ({
  ...written,
  profileImage: null,
  isFollowing: false,
  firstLetter: firstLetterOf(written.name),
})

/** The heading of a name in an alphabetical list: 'Émile' stands under E. */
export const firstLetterOf = (name: string) => (name.normalize('NFD')[0] ?? '').toUpperCase()
