import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Done, Instant, PersonId, Text } from '#contract/schemas.ts'
import { suspensionReasonMax } from './rules.ts'

/** A suspension that has not ended. */
export const Suspension = z.object({
  reason: z.string(),
  /** When the person can sign in again. Null: not before the suspension is lifted. */
  until: z.nullable(Instant),
  /** Whether nobody can read what the person has published. */
  hidesTexts: z.boolean(),
})
export type Suspension = z.infer<typeof Suspension>

/** What the person gets at sign-in. */
export const OwnSuspension = z.extend(Suspension, {
  /** Sent as an API token, it reads what an export contains, for an hour. */
  exportToken: z.string(),
})
export type OwnSuspension = z.infer<typeof OwnSuspension>

export const NewSuspension = z.object({
  reason: Text(suspensionReasonMax, 'Please write a reason. The person reads it at sign-in.'),
  until: z.nullable(Instant),
  hidesTexts: z.boolean(),
})

const path = '/api/admin/users/:id/suspension'
const params = z.object({ id: PersonId })

export const getSuspension = endpoint({
  summary: 'Answers the suspension of a person, null for a person who is not suspended.',
  method: 'GET',
  path,
  params,
  output: z.nullable(Suspension),
  errors: ['UserNotFound'],
})

export const suspendPerson = endpoint({
  summary: 'Suspends a person until a time or for good, or changes the suspension.',
  description:
    'All sessions of the person end. A sign-in with the right password answers 403 `Suspended` with the suspension in `current`. A repeated call changes nothing. No admin can be suspended, and no guest. Only an admin suspends a moderator.',
  method: 'PUT',
  path,
  params,
  input: NewSuspension,
  output: Suspension,
  errors: ['UserNotFound', 'AdminCannotBeSuspended', 'ModeratorCannotBeSuspended', 'DemoAccountStays'],
})

export const liftSuspension = endpoint({
  summary: 'Ends the suspension of a person at once.',
  description: 'A repeated call answers like the first one. Sessions that were ended stay ended.',
  method: 'DELETE',
  path,
  params,
  output: Done,
  errors: ['UserNotFound', 'ModeratorCannotBeSuspended'],
})
