import { type InjectOptions, type LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { type Client, requireDeclared } from './test-app.ts'
import { formOf } from './uploads.ts'
import { type World, callerKinds } from './world.ts'
import { abuseReportsCalls } from './calls/abuse-reports.ts'
import { accountCalls } from './calls/account.ts'
import { adminCalls } from './calls/admin.ts'
import { allowancesCalls } from './calls/allowances.ts'
import { appCalls } from './calls/app.ts'
import { awayNotificationsCalls } from './calls/away-notifications.ts'
import { bookmarksCalls } from './calls/bookmarks.ts'
import { calendarCalls } from './calls/calendar.ts'
import { coversCalls } from './calls/covers.ts'
import { diaryCalls } from './calls/diary.ts'
import { documentsCalls } from './calls/documents.ts'
import { draftsCalls } from './calls/drafts.ts'
import { erasingCalls } from './calls/erasing.ts'
import { feedCalls } from './calls/feed.ts'
import { followsCalls } from './calls/follows.ts'
import { friendsCalls } from './calls/friends.ts'
import { inboxCalls } from './calls/inbox.ts'
import { instanceCalls } from './calls/instance.ts'
import { invitationsCalls } from './calls/invitations.ts'
import { magazineCalls } from './calls/magazine.ts'
import { mailsCalls } from './calls/mails.ts'
import { messagesCalls } from './calls/messages.ts'
import { openidCalls } from './calls/openid.ts'
import { passwordResetsCalls } from './calls/password-resets.ts'
import { peopleCalls } from './calls/people.ts'
import { pushCalls } from './calls/push.ts'
import { roomsCalls } from './calls/rooms.ts'
import { searchCalls } from './calls/search.ts'
import { webhooksCalls } from './calls/webhooks.ts'
import type { CallRow, Made } from './calls/row.ts'

export type { CallData, CallRow } from './calls/row.ts'

/** The table of permissions: one row for each call of the API, for the tests of all calls. Each feature has its list in `calls`. */
export const calls: readonly CallRow[] = [
  ...appCalls,
  ...instanceCalls,
  ...accountCalls,
  ...feedCalls,
  ...erasingCalls,
  ...adminCalls,
  ...passwordResetsCalls,
  ...mailsCalls,
  ...awayNotificationsCalls,
  ...pushCalls,
  ...allowancesCalls,
  ...webhooksCalls,
  ...openidCalls,
  ...roomsCalls,
  ...diaryCalls,
  ...calendarCalls,
  ...draftsCalls,
  ...documentsCalls,
  ...bookmarksCalls,
  ...friendsCalls,
  ...invitationsCalls,
  ...inboxCalls,
  ...messagesCalls,
  ...abuseReportsCalls,
  ...peopleCalls,
  ...followsCalls,
  ...searchCalls,
  ...magazineCalls,
  ...coversCalls,
]

/** The caller with the most rights that may make the call. */
export const allowed = ({ callers }: Pick<World, 'callers'>, { answers }: CallRow): Client =>
  callers[callerKinds.findLast((kind) => answers[kind] < 300)!]

export const requestOf = ({ endpoint }: CallRow, made: Made): InjectOptions & { url: string } => ({
  method: endpoint.method,
  url: pathOf(endpoint, made),
  ...(made.input && { payload: made.input }),
  ...(made.file && { payload: formOf(endpoint.file!.field, made.file) }),
})

/** Expects what holds for every answer: no status 500, a declared code and a sentence in a refusal, the security headers. */
export function expectSound({ statusCode, headers, body }: LightMyRequestResponse, endpoint?: Endpoint) {
  if (statusCode >= 500) throw new Error(`A fault: ${body}`)
  if (statusCode >= 400 && body !== '') {
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    const refusal = JSON.parse(body) as { code: string }
    expect(refusal).toMatchObject({
      code: expect.stringMatching(/^[A-Z][A-Za-z]+$/),
      error: expect.stringMatching(/^\S.*\S$/),
    })
    if (endpoint !== undefined) requireDeclared(endpoint, refusal.code)
  }
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': expect.stringMatching(/^(no-store|public, no-cache|private, no-cache)$/),
  })
  const told = Object.keys(headers).filter((name) => /^(server|x-powered-by|access-control-.*)$/.test(name))
  expect(told).toEqual([])
}
