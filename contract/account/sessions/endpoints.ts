import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Done, Id, Instant } from '#contract/schemas.ts'

/** A session of the caller. Its id is random, and no token. */
export const OwnSession = z.object({
  id: Id,
  /** The name of the browser, such as 'Firefox'; null for one that the server does not know. */
  browser: z.nullable(z.string()),
  /** The name of the operating system, such as 'Windows'; null for one that the server does not know. */
  system: z.nullable(z.string()),
  signedInAt: Instant,
  /** Some minutes old at most while the session is used. */
  lastUsedAt: Instant,
  /** Whether the session makes this call. */
  isCurrent: z.boolean(),
})
export type OwnSession = z.infer<typeof OwnSession>

const path = '/api/me/sessions'

export const listSessions = endpoint({
  summary: 'Lists the open sessions of the caller, the last used first.',
  method: 'GET',
  path,
  output: z.array(OwnSession),
})

export const endSession = endpoint({
  summary: 'Ends another session of the caller.',
  description: 'The session of the call must be less than 15 minutes old. `logout` ends that session itself.',
  method: 'DELETE',
  path: `${path}/:id`,
  params: z.object({ id: Id }),
  output: Done,
  errors: ['SessionNotFound', 'CurrentSession', 'SignInAgainToEndSessions', 'DemoAccountStays'],
})

export const endOtherSessions = endpoint({
  summary: 'Ends all sessions of the caller except that of the call.',
  description: 'The session of the call must be less than 15 minutes old.',
  method: 'DELETE',
  path,
  output: Done,
  errors: ['SignInAgainToEndSessions', 'DemoAccountStays'],
})
