import type { Feature } from '#server/feature.ts'
import { encryptedDays, type Vault } from '#server/features/day-texts/index.ts'
import { calendarPersonalData } from './personal-data.ts'
import { calendarRoutes } from './routes.ts'
import { calendarTexts } from './schema.ts'

export { calendarNotes, calendarTexts } from './schema.ts'

export const feature = {
  personalData: calendarPersonalData,
  encryptedTables: [encryptedDays(calendarTexts)],
  start: (deps: { vault: Vault }) => ({ routes: calendarRoutes(deps) }),
} satisfies Feature
