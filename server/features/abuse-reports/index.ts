import type { Feature } from '#server/feature.ts'
import { encryptedTable } from '#server/features/day-texts/index.ts'
import { abuseReportEventLoaders } from './events.ts'
import { abuseReportPersonalData } from './personal-data.ts'
import { purgeAbuseReports } from './queries.ts'
import { abuseReportRoutes, type Deps } from './routes.ts'
import { copyId, reasonId } from './texts.ts'

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
  encryptedTables: [
    encryptedTable<'id'>({
      name: 'abuse_reports',
      primaryKey: { id: 'uuid' },
      texts: { content: ({ id }) => copyId(id), reason: ({ id }) => reasonId(id) },
    }),
  ],
  purges: { 'abuse reports': ({ database }, signal) => purgeAbuseReports(database, signal) },
  inboxLoaders: () => abuseReportEventLoaders,
  start: (deps: Deps) => ({ routes: abuseReportRoutes(deps) }),
} satisfies Feature
