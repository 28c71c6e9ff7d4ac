import { abuseReportErrors } from '#contract/abuse-reports/errors.ts'
import { accountErrors } from '#contract/account/errors.ts'
import { adminErrors } from '#contract/admin/errors.ts'
import { allowanceErrors } from '#contract/allowances/errors.ts'
import { bookmarkErrors } from '#contract/bookmarks/errors.ts'
import { calendarErrors } from '#contract/calendar/errors.ts'
import { coverErrors } from '#contract/covers/errors.ts'
import { diaryErrors } from '#contract/diary/errors.ts'
import { documentErrors } from '#contract/documents/errors.ts'
import { draftErrors } from '#contract/drafts/errors.ts'
import { feedErrors } from '#contract/feed/errors.ts'
import { followErrors } from '#contract/follows/errors.ts'
import { friendErrors } from '#contract/friends/errors.ts'
import { instanceErrors } from '#contract/instance/errors.ts'
import { invitationErrors } from '#contract/invitations/errors.ts'
import { mailErrors } from '#contract/mails/errors.ts'
import { awayNotificationErrors } from '#contract/away-notifications/errors.ts'
import { messageErrors } from '#contract/messages/errors.ts'
import { openidErrors } from '#contract/openid/errors.ts'
import { passwordResetErrors } from '#contract/password-resets/errors.ts'
import { peopleErrors } from '#contract/people/errors.ts'
import { roomErrors } from '#contract/rooms/errors.ts'
import { webhookErrors } from '#contract/webhooks/errors.ts'

/** Refusals that every call may answer; endpoints do not repeat them. */
export const commonErrors = {
  InvalidInput: { status: 400, error: 'Please check what you entered.' },
  IdempotencyKeyReused: { status: 400, error: 'This action was already sent with other content.' },
  SignInRequired: { status: 401, error: 'Please sign in.' },
  TokenRefused: { status: 401, error: 'This token is unknown or has ended.' },
  TokenNotAllowed: { status: 403, error: 'This token may not make this call.' },
  NotAllowed: { status: 403, error: 'You are not allowed to do this.' },
  ForeignRequest: { status: 403, error: 'This request did not come from our own pages.' },
  NotFound: { status: 404, error: 'This does not exist.' },
  MethodNotAllowed: { status: 405, error: 'This address does not take that method.' },
  RequestTimeout: { status: 408, error: 'This took too long to arrive. Please try again.' },
  OtherPerson: { status: 409, error: 'Somebody else is signed in now. Nothing was changed.' },
  PayloadTooLarge: { status: 413, error: 'This is too large to be taken.' },
  AddressTooLong: { status: 414, error: 'This address is too long.' },
  UnsupportedMediaType: { status: 415, error: 'This call takes JSON only.' },
  TooManyRequests: { status: 429, error: 'That was a little too often. Please wait a moment.' },
  HeadersTooLarge: { status: 431, error: 'The headers of this request are too large.' },
  Unexpected: { status: 500, error: 'Something went wrong on our side. Please try again.' },
  Unavailable: { status: 503, error: 'We cannot answer right now. Please try again in a moment.' },
} as const

export const errors = {
  ...commonErrors,
  ...accountErrors,
  ...feedErrors,
  ...coverErrors,
  ...diaryErrors,
  ...calendarErrors,
  ...draftErrors,
  ...documentErrors,
  ...bookmarkErrors,
  ...roomErrors,
  ...friendErrors,
  ...invitationErrors,
  ...messageErrors,
  ...abuseReportErrors,
  ...mailErrors,
  ...openidErrors,
  ...awayNotificationErrors,
  ...passwordResetErrors,
  ...peopleErrors,
  ...followErrors,
  ...adminErrors,
  ...instanceErrors,
  ...allowanceErrors,
  ...webhookErrors,
} as const

export type CommonErrorCode = keyof typeof commonErrors
export type ErrorCode = keyof typeof errors

/** How a refusal travels. */
export interface Refusal {
  code: ErrorCode
  error: string
  /** A sentence for each field that was refused. */
  fields?: Record<string, string>
  /** Of a conflict: what is stored now, in the shape of `current` of the call. Of `Suspended`: the suspension. */
  current?: unknown
}
