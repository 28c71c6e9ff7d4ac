import type { Creator } from '#contract/creators/creator.ts'

/** What is written of a sample creator. */
export type WrittenCreator = Omit<Creator, 'profileImage' | 'isFollowing' | 'firstLetter' | 'portfolio'>

/** A sample creator. Adds the fields that all sample creators share, and the letter of the name. */
export const writtenCreator = (written: WrittenCreator): Creator => ({
  ...written,
  profileImage: null,
  isFollowing: false,
  firstLetter: firstLetterOf(written.name),
})

/** The heading of a name in an alphabetical list: 'Émile' is listed under E. */
export const firstLetterOf = (name: string) => (name.normalize('NFD')[0] ?? '').toUpperCase()
