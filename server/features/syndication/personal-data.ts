import type { PersonalData } from '#server/platform/personal-data.ts'

/** Kept feeds and pages store nothing in the database. After the deletion of an account its name and its page are in none of them. */
export const keptTextsPersonalData = (onRemoved: () => void): PersonalData => ({
  move: async () => {},
  remove: async (_db, _personId, afterCommit) => afterCommit(onRemoved),
})
