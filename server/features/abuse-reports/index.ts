import type { Feature } from '#server/feature.ts'
import { encryptedReports } from './change-key.ts'
import { abuseReportEventLoaders } from './events.ts'
import { abuseReportPersonalData } from './personal-data.ts'
import { purgeAbuseReports } from './queries.ts'
import { abuseReportRoutes, type Deps } from './routes.ts'

export {
  closeReport,
  countOpenReports,
  type ErasableKind,
  eraseReportCopies,
  findReport,
  isClosedAs,
  isErasable,
  lockErasable,
  lockPeopleOfReports,
  removeReportOfDeletedPeople,
} from './queries.ts'

export const feature = {
  personalData: abuseReportPersonalData,
  encryptedTables: [encryptedReports],
  purges: { 'abuse reports': ({ database }, signal) => purgeAbuseReports(database, signal) },
  inboxLoaders: () => abuseReportEventLoaders,
  start: (deps: Deps) => ({ routes: abuseReportRoutes(deps) }),
} satisfies Feature
