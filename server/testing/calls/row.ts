import { type Endpoint } from '#contract/endpoint.ts'
import { type CallerKind, type World } from '../world.ts'

/** What the user owns, and the ids that a row needs to make a call. */
export type CallData = Pick<
  World,
  | 'known'
  | 'published'
  | 'publishedAt'
  | 'waiting'
  | 'changed'
  | 'takenBack'
  | 'scheduled'
  | 'room'
  | 'passage'
  | 'privateRoom'
  | 'table'
  | 'aside'
  | 'story'
  | 'privateStory'
  | 'blockedId'
  | 'message'
  | 'invitation'
  | 'follower'
  | 'suspended'
  | 'report'
  | 'allowance'
  | 'draft'
  | 'document'
  | 'otherSession'
  | 'apiToken'
  | 'resetTokens'
  | 'confirmationTokens'
  | 'awayNotificationToken'
  | 'unsentMail'
  | 'webhook'
  | 'registrationRequest'
  | 'registrationLink'
  | 'next'
>

/** What a call sends. */
export interface Made {
  params?: Record<string, string>
  query?: Record<string, string>
  input?: Record<string, unknown>
  file?: File
}

export interface CallRow {
  name: string
  endpoint: Endpoint
  /** The status of the answer to each caller. */
  answers: Readonly<Record<CallerKind, number>>
  /** A valid call with every field that the endpoint takes. */
  make: (data: CallData) => Made
}

export const draftIdOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
export const statuses = (
  visitor: number,
  guest: number,
  people: number,
  admin = people,
  moderator = people,
) => ({
  visitor,
  guest,
  user: people,
  other: people,
  blocked: people,
  member: people,
  moderator,
  admin,
})
export const everyone = statuses(200, 200, 200)
export const everyoneAdds = statuses(201, 201, 201)
export const admins = statuses(401, 403, 403, 200)
export const moderators = statuses(401, 403, 403, 200, 200)
export const writers = statuses(401, 401, 200)
export const people = statuses(401, 403, 200)
export const peopleAdd = statuses(401, 403, 201)
/** For what concerns the user alone. Others are answered as if it did not exist. */
export const userAlone = { ...statuses(401, 403, 404), user: 200 }
/** For what friends of the user may do. */
export const friends = { ...statuses(401, 403, 404), member: 200 }
/** For the texts of a private room, which is itself listed. */
export const members = { ...statuses(401, 403, 403), user: 200, member: 200 }
/** For the turn of the user. */
export const holder = { ...statuses(401, 403, 403), user: 200 }
/** The id of no account. */
export const nobody = '0000000000'
/** A time that is still to come. */
export const someTime = '2025-12-24T18:00:00.000Z'

/** A row of the table of permissions. `what` tells it from other rows of the endpoint. */
export function row(
  endpoint: Endpoint,
  answers: CallRow['answers'],
  make: CallRow['make'] = () => ({}),
  what?: string,
): CallRow {
  return { name: [endpoint.method, endpoint.path, what].filter(Boolean).join(' '), endpoint, answers, make }
}
