import type { PersonalData } from '#server/platform/personal-data.ts'

/** Kept feeds and pages are in memory alone. After the deletion of an account none of them may show its name or its page. */
export const keptTextsPersonalData = (onRemoved: () => void): PersonalData => ({
  move: async () => {},
  remove: async (_db, _personId, afterCommit) => afterCommit(onRemoved),
})
