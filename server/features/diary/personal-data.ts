import { removeDayTexts } from '#server/features/day-texts/index.ts'
import type { PersonalData } from '#server/feature.ts'
import { diaryTexts } from './schema.ts'

/** A guest has no rows here: the texts of guests stay in their browser. */
export const diaryPersonalData: PersonalData = {
  move: async () => {},
  remove: (db, personId) => removeDayTexts(db, diaryTexts, personId),
}
