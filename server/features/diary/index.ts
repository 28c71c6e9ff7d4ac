import type { Feature } from '#server/feature.ts'
import { encryptedDays, type Vault } from '#server/features/day-texts/index.ts'
import { diaryPersonalData } from './personal-data.ts'
import { diaryRoutes } from './routes.ts'
import { diaryTexts } from './schema.ts'

export { diaryEntries, diaryTexts } from './schema.ts'

export const feature = {
  personalData: diaryPersonalData,
  encryptedTables: [encryptedDays(diaryTexts)],
  start: (deps: { vault: Vault }) => ({ routes: diaryRoutes(deps) }),
} satisfies Feature
