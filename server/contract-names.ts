import * as z from 'zod/mini'
import * as abuseReports from '#contract/abuse-reports/endpoints.ts'
import * as abuseReport from '#contract/abuse-reports/report.ts'
import * as account from '#contract/account/endpoints.ts'
import * as registration from '#contract/account/registration/endpoints.ts'
import * as setup from '#contract/account/setup/endpoints.ts'
import * as ownSessions from '#contract/account/sessions/endpoints.ts'
import * as moderators from '#contract/account/moderators/endpoints.ts'
import * as suspensions from '#contract/account/suspensions/endpoints.ts'
import * as apiTokens from '#contract/account/tokens/endpoints.ts'
import * as settings from '#contract/account/settings/endpoints.ts'
import * as user from '#contract/account/user.ts'
import * as audit from '#contract/admin/audit.ts'
import * as admin from '#contract/admin/endpoints.ts'
import * as allowances from '#contract/allowances/endpoints.ts'
import * as app from '#contract/app/endpoints.ts'
import * as bookmarks from '#contract/bookmarks/endpoints.ts'
import * as calendar from '#contract/calendar/endpoints.ts'
import * as note from '#contract/calendar/note.ts'
import * as covers from '#contract/covers/endpoints.ts'
import * as diary from '#contract/diary/endpoints.ts'
import * as entry from '#contract/diary/entry.ts'
import * as document from '#contract/documents/document.ts'
import * as documents from '#contract/documents/endpoints.ts'
import * as draft from '#contract/drafts/draft.ts'
import * as drafts from '#contract/drafts/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as erasing from '#contract/erasing/endpoints.ts'
import * as feed from '#contract/feed/endpoints.ts'
import * as ownPosts from '#contract/feed/own/endpoints.ts'
import * as post from '#contract/feed/post.ts'
import * as links from '#contract/feed/links/endpoints.ts'
import * as reading from '#contract/feed/reading/endpoints.ts'
import * as review from '#contract/feed/review/endpoints.ts'
import * as follow from '#contract/follows/follow.ts'
import * as follows from '#contract/follows/endpoints.ts'
import * as scheduledPosts from '#contract/feed/scheduled/endpoints.ts'
import * as friends from '#contract/friends/endpoints.ts'
import * as friend from '#contract/friends/friend.ts'
import * as invitations from '#contract/invitations/endpoints.ts'
import * as invitation from '#contract/invitations/invitation.ts'
import * as instance from '#contract/instance/endpoints.ts'
import { InstanceSettings } from '#contract/instance/settings.ts'
import * as mails from '#contract/mails/endpoints.ts'
import * as mail from '#contract/mails/mail.ts'
import * as awayNotificationChoices from '#contract/away-notifications/choices.ts'
import * as awayNotifications from '#contract/away-notifications/endpoints.ts'
import * as magazine from '#contract/magazine/endpoints.ts'
import * as inbox from '#contract/inbox/endpoints.ts'
import * as notification from '#contract/inbox/notification.ts'
import * as messages from '#contract/messages/endpoints.ts'
import * as message from '#contract/messages/message.ts'
import * as openid from '#contract/openid/endpoints.ts'
import * as passwordResets from '#contract/password-resets/endpoints.ts'
import * as people from '#contract/people/endpoints.ts'
import * as push from '#contract/push/endpoints.ts'
import * as credit from '#contract/rooms/credit/endpoints.ts'
import * as rooms from '#contract/rooms/endpoints.ts'
import * as newRoom from '#contract/rooms/new-room.ts'
import * as room from '#contract/rooms/room.ts'
import * as asides from '#contract/rooms/table/asides.ts'
import * as tables from '#contract/rooms/table/endpoints.ts'
import * as table from '#contract/rooms/table/table.ts'
import * as search from '#contract/search/endpoints.ts'
import * as webhooks from '#contract/webhooks/endpoints.ts'
import { Day, Done, Id, Instant, PersonId } from '#contract/schemas.ts'
import type { ContractNames, Name } from './platform/http/endpoints/openapi.ts'

/** The features of the API, each with a sentence about it and the modules of the contract whose exports are named here. */
const features: Record<string, readonly [about: string, ...modules: object[]]> = {
  account: [
    'Accounts, sessions and settings.',
    account,
    registration,
    setup,
    ownSessions,
    apiTokens,
    suspensions,
    moderators,
    settings,
    user,
  ],
  feed: [
    'Posts by day, their review by admins, and the own posts of authors.',
    feed,
    links,
    post,
    ownPosts,
    reading,
    review,
    scheduledPosts,
  ],
  drafts: ['Texts that their authors have not sent yet.', drafts, draft],
  documents: ['Texts that came by an import and are neither days nor drafts.', documents, document],
  bookmarks: ['Posts that people keep to read later.', bookmarks],
  rooms: [
    'Timed rooms in which a group writes a story, and the finished stories.',
    rooms,
    newRoom,
    room,
    tables,
    table,
    asides,
    credit,
  ],
  live: ['The stream of events.'],
  diary: ['The private diary, one text for each day.', diary, entry],
  calendar: ['The private calendar, one note for each day.', calendar, note],
  friends: ['Friends, the search for people, and blocks.', friends, friend],
  invitations: ['Links by which people become friends.', invitations, invitation],
  messages: ['Messages between friends.', messages, message],
  inbox: ['Notifications that a person has not seen.', inbox, notification],
  mails: ['Email addresses, and mails that could not be sent.', mails, mail],
  openid: ['The sign-in by an OpenID Connect provider.', openid],
  'away-notifications': [
    'What a person who is away is notified of by push and mail, and when.',
    awayNotifications,
    awayNotificationChoices,
  ],
  'password-resets': ['Links by which people set a new password.', passwordResets],
  push: ['Notifications of a browser without an open page.', push],
  people: ['What people have published under their names.', people],
  follows: ['Whom the caller follows, and their posts.', follows, follow],
  search: ['The search of everything that the caller may read.', search],
  syndication: ['Atom, RSS and JSON Feed.'],
  magazine: ['The literary magazine.', magazine],
  covers: ['Pictures of posts.', covers],
  'abuse-reports': ['Reports to the admins.', abuseReports, abuseReport],
  admin: ['Users, numbers and the audit log, for admins.', admin, audit],
  allowances: ['More than the usual limits, for a class or a workshop.', allowances],
  webhooks: ['Addresses that are notified of what is published.', webhooks],
  erasing: ['Texts that admins erase for good.', erasing],
  instance: ['How admins set up the instance.', instance, { InstanceSettings }],
  app: ['What a client must know of the installation.', app],
}

const tags = Object.entries(features).map(([name, [description]]) => ({ name, description }))

/** The names of schemas. An object of the contract has the name of its export. */
const schemaNames = z.registry<{ id: string; format?: string; description?: string }>()
schemaNames
  .add(Id, { id: 'Id', description: 'A UUID. Everything but people has one.' })
  .add(PersonId, { id: 'PersonId', description: 'The id of a person.' })
  .add(Instant, { id: 'Instant', format: 'date-time', description: 'In UTC, with milliseconds and `Z`.' })
  .add(Day, { id: 'Day', format: 'date', description: 'A day of the calendar, without a time zone.' })
  .add(Done, { id: 'Done' })

const names = new Map<Endpoint, Name>()

for (const [tag, [, ...modules]] of Object.entries(features))
  for (const [name, exported] of modules.flatMap((module) => Object.entries(module)))
    if (exported instanceof z.ZodMiniObject) schemaNames.add(exported, { id: name })
    else if (isEndpoint(exported)) names.set(exported, { operationId: name, tag })

function isEndpoint(exported: unknown): exported is Endpoint {
  return typeof exported === 'object' && exported !== null && 'summary' in exported
}

export const contractNames: ContractNames = { tags, schemaNames, nameOf: (endpoint) => names.get(endpoint) }
