import type { Feature, Needs } from '#server/feature.ts'
import { encryptedDays, removeDayTexts } from '#server/features/day-texts/index.ts'
import { calendarRoutes } from './routes.ts'
import { calendarTexts } from './schema.ts'

export { calendarNotes, calendarTexts } from './schema.ts'

export const feature = {
  personalData: { remove: (db, personId) => removeDayTexts(db, calendarTexts, personId) },
  encryptedTables: [encryptedDays(calendarTexts)],
  start: (deps: Pick<Needs, 'vault'>) => ({ routes: calendarRoutes(deps) }),
} satisfies Feature
