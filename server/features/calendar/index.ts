import type { Feature } from '#server/feature.ts'
import { encryptedDays, removeDayTexts, type Vault } from '#server/features/day-texts/index.ts'
import { calendarRoutes } from './routes.ts'
import { calendarTexts } from './schema.ts'

export { calendarNotes, calendarTexts } from './schema.ts'

export const feature = {
  personalData: { remove: (db, personId) => removeDayTexts(db, calendarTexts, personId) },
  encryptedTables: [encryptedDays(calendarTexts)],
  start: (deps: { vault: Vault }) => ({ routes: calendarRoutes(deps) }),
} satisfies Feature
