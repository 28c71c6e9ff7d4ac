import type { Feature } from '#server/feature.ts'
import { encryptedDays, removeDayTexts, type Vault } from '#server/features/day-texts/index.ts'
import { diaryRoutes } from './routes.ts'
import { diaryTexts } from './schema.ts'

export { diaryEntries, diaryTexts } from './schema.ts'

export const feature = {
  personalData: { remove: (db, personId) => removeDayTexts(db, diaryTexts, personId) },
  encryptedTables: [encryptedDays(diaryTexts)],
  start: (deps: { vault: Vault }) => ({ routes: diaryRoutes(deps) }),
} satisfies Feature
