import type { Feature, Needs } from '#server/feature.ts'
import { encryptedDays, removeDayTexts } from '#server/features/day-texts/index.ts'
import { diaryRoutes } from './routes.ts'
import { diaryTexts } from './schema.ts'

export { diaryEntries, diaryTexts } from './schema.ts'

export const feature = {
  personalData: { remove: (db, personId) => removeDayTexts(db, diaryTexts, personId) },
  encryptedTables: [encryptedDays(diaryTexts)],
  start: (deps: Pick<Needs, 'vault'>) => ({ routes: diaryRoutes(deps) }),
} satisfies Feature
