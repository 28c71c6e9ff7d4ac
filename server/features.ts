import type { Feature, PersonalData } from './feature.ts'
import { feature as abuseReports } from './features/abuse-reports/index.ts'
import { feature as account } from './features/account/index.ts'
import { feature as admin } from './features/admin/index.ts'
import { feature as allowances } from './features/allowances/index.ts'
import { feature as bookmarks } from './features/bookmarks/index.ts'
import { feature as calendar } from './features/calendar/index.ts'
import { feature as covers } from './features/covers/index.ts'
import type { Vault } from './features/day-texts/index.ts'
import { feature as diary } from './features/diary/index.ts'
import { feature as documents } from './features/documents/index.ts'
import { feature as drafts } from './features/drafts/index.ts'
import { feature as erasing } from './features/erasing/index.ts'
import { feature as feed } from './features/feed/index.ts'
import { feature as follows } from './features/follows/index.ts'
import { feature as friends } from './features/friends/index.ts'
import { feature as inbox, type InboxEventLoaders } from './features/inbox/index.ts'
import { feature as instance } from './features/instance/index.ts'
import { feature as invitations } from './features/invitations/index.ts'
import { feature as magazine } from './features/magazine/index.ts'
import { feature as mails } from './features/mails/index.ts'
import { feature as messages } from './features/messages/index.ts'
import { feature as openid } from './features/openid/index.ts'
import { feature as awayNotifications } from './features/away-notifications/index.ts'
import { feature as passwordResets } from './features/password-resets/index.ts'
import { feature as people } from './features/people/index.ts'
import { feature as previews } from './features/previews/index.ts'
import { feature as push } from './features/push/index.ts'
import { feature as reportActions } from './features/report-actions/index.ts'
import { feature as rooms } from './features/rooms/index.ts'
import { feature as search } from './features/search/index.ts'
import { feature as syndication } from './features/syndication/index.ts'
import { feature as webhooks } from './features/webhooks/index.ts'
import { moveIdempotencyKeys } from './platform/http/endpoints/idempotency.ts'

/** All features. The data of a person is removed in this order: like every change it locks posts and rooms before inboxes. */
export const features = [
  account,
  admin,
  instance,
  allowances,
  feed,
  rooms,
  diary,
  calendar,
  drafts,
  documents,
  bookmarks,
  friends,
  follows,
  invitations,
  inbox,
  messages,
  abuseReports,
  erasing,
  reportActions,
  mails,
  awayNotifications,
  passwordResets,
  openid,
  people,
  push,
  magazine,
  covers,
  syndication,
  webhooks,
  previews,
  search,
] as const satisfies readonly Feature[]

const all: readonly Feature[] = features

export const allPersonalData: readonly PersonalData[] = [
  ...all.flatMap(({ personalData = [] }) => personalData),
  // A foreign key deletes the answers that are stored for keys.
  { move: moveIdempotencyKeys },
]

export const allEncryptedTables = all.flatMap(({ encryptedTables = [] }) => encryptedTables)

export const allFileKinds = all.flatMap(({ files = [] }) => files)

/** The loaders of all events of inboxes. An event that no feature loads does not compile here. */
export function inboxLoaders(vault: Vault): InboxEventLoaders {
  const loaders = features.flatMap((feature) =>
    'inboxLoaders' in feature ? [feature.inboxLoaders(vault)] : [],
  )
  return Object.assign({}, ...loaders) as AllOf<(typeof loaders)[number]>
}

/** An object that has everything that one of the objects has. */
type AllOf<Each> = (Each extends Each ? (each: Each) => void : never) extends (all: infer All) => void
  ? All
  : never
