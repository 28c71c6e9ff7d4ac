import * as z from 'zod/mini'
import { nameLength } from '#contract/account/rules.ts'
import { Suspension } from '#contract/account/suspensions/endpoints.ts'
import { User } from '#contract/account/user.ts'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Done, Page, PersonId } from '#contract/schemas.ts'

const path = '/api/admin/users/:id/moderator'
const params = z.object({ id: PersonId })

export const addModerator = endpoint({
  summary: 'Makes a person a moderator.',
  description:
    'Moderators review posts and reports, and suspend people. All sessions of the person end. The next sign-in refuses a passcode that is too weak for a moderator, with `ModeratorPasswordWeak`. A repeated call changes nothing.',
  method: 'PUT',
  path,
  params,
  output: Done,
  errors: ['UserNotFound', 'AdminIsNoModerator', 'DemoAccountStays'],
})

export const removeModerator = endpoint({
  summary: 'Takes the right of a moderator away.',
  description: 'All sessions of the person end. A repeated call changes nothing.',
  method: 'DELETE',
  path,
  params,
  output: Done,
  errors: ['UserNotFound'],
})

export const moderatedPeopleMax = 200
/** A first and a last name. */
export const searchedNameMaxLength = 2 * nameLength.max + 1

/** A registered person as a moderator sees them: without the address. */
export const ModeratedPerson = z.extend(
  z.pick(User, { id: true, username: true, isAdmin: true, isModerator: true, createdAt: true }),
  {
    /** The full name, or else the username. */
    name: z.string(),
    suspension: z.nullable(Suspension),
  },
)
export type ModeratedPerson = z.infer<typeof ModeratedPerson>

export const listModeratedPeople = endpoint({
  summary: 'Lists the registered people and their suspensions, without addresses, the newest person first.',
  method: 'GET',
  path: '/api/admin/people',
  query: z.extend(Page(moderatedPeopleMax), {
    /** Only the people whose username, first or last name contains the text, in any case. */
    q: z.optional(AnyText(searchedNameMaxLength)),
    /** Only the suspended people. */
    isSuspended: z.optional(z.literal('true')),
  }),
  output: z.array(ModeratedPerson),
})
