import { removeDayTexts } from '#server/features/day-texts/index.ts'
import type { PersonalData } from '#server/feature.ts'
import { calendarTexts } from './schema.ts'

/** A guest has no rows here: the texts of guests stay in their browser. */
export const calendarPersonalData: PersonalData = {
  move: async () => {},
  remove: (db, personId) => removeDayTexts(db, calendarTexts, personId),
}
