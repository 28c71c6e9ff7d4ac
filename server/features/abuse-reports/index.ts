import type { Feature } from '#server/feature.ts'
import type { Vault } from '#server/features/day-texts/index.ts'
import { encryptedReports } from './change-key.ts'
import { abuseReportPersonalData } from './personal-data.ts'
import { purgeAbuseReports } from './queries.ts'
import { abuseReportRoutes } from './routes.ts'

export const feature = {
  personalData: abuseReportPersonalData,
  encryptedTables: [encryptedReports],
  purges: { 'abuse reports': ({ database }, signal) => purgeAbuseReports(database, signal) },
  start: (deps: { vault: Vault }) => ({ routes: abuseReportRoutes(deps) }),
} satisfies Feature
