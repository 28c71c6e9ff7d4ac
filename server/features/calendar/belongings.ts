import { removeDayTexts } from '#server/features/day-texts/index.ts'
import type { Belongings } from '#server/platform/belongings.ts'
import { calendarTexts } from './schema.ts'

/** A guest has none here: their texts stay in the browser. */
export const calendarBelongings: Belongings = {
  move: async () => {},
  remove: (db, personId) => removeDayTexts(db, calendarTexts, personId),
}
