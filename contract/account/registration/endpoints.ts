import * as z from 'zod/mini'
import { Email, Name, Passcode, WritingSample } from '#contract/account/fields.ts'
import { answerMax, linkDaysMax, linkUsesMax } from '#contract/account/registration/rules.ts'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Done, Id, Instant } from '#contract/schemas.ts'

/** That the person agrees to the terms and rules. A registration needs it where the instance has one of them. */
export const Agrees = z.optional(z.boolean())

export const requestRegistration = endpoint({
  summary: 'Asks the admins for an account, where they decide who signs up.',
  description:
    'The account is made when an admin approves it. Until then a sign-in with the right password is answered by `RegistrationWaits`.',
  method: 'POST',
  path: '/api/registration-requests',
  input: z.object({
    name: Name,
    email: Email,
    passcode: Passcode,
    writingSample: WritingSample,
    answer: AnyText(answerMax),
    agrees: Agrees,
  }),
  output: Done,
  status: 201,
  errors: [
    'RegistrationNotByApproval',
    'RegistrationQueueFull',
    'NetworkRefused',
    'EmailRefused',
    'EmailTaken',
    'NameReserved',
    'PasswordTooShort',
    'PasswordTooCommon',
    'AgreementRequired',
  ],
})

/** A person who waits for a decision. */
export const RegistrationRequest = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  /** The question of the admins at that time; empty when there was none. */
  question: z.string(),
  answer: z.string(),
  writingSample: z.string(),
  createdAt: Instant,
})
export type RegistrationRequest = z.infer<typeof RegistrationRequest>

export const listRegistrationRequests = endpoint({
  summary: 'Lists people who wait for a decision about their registration, the longest wait first.',
  method: 'GET',
  path: '/api/admin/registration-requests',
  output: z.array(RegistrationRequest),
})

const requestId = z.object({ id: Id })

export const approveRegistration = endpoint({
  summary: 'Makes the account of a person who waits.',
  method: 'POST',
  path: '/api/admin/registration-requests/:id/approvals',
  params: requestId,
  output: Done,
  status: 201,
  errors: ['RegistrationRequestNotFound', 'EmailRefused', 'EmailTaken', 'NameReserved'],
})

export const refuseRegistration = endpoint({
  summary: 'Refuses a person who waits, whose texts are deleted.',
  description:
    'The next sign-in with the right password is answered by `RegistrationRefused`. After it, and after 30 days, nothing is stored any more.',
  method: 'DELETE',
  path: '/api/admin/registration-requests/:id',
  params: requestId,
  output: Done,
  errors: ['RegistrationRequestNotFound'],
})

/** A link that has not ended. Its token is stored nowhere. */
export const RegistrationLink = z.object({
  id: Id,
  label: z.string(),
  uses: z.int(),
  maxUses: z.int(),
  createdAt: Instant,
  expiresAt: Instant,
})
export type RegistrationLink = z.infer<typeof RegistrationLink>

/** A new link, with the token that is shown this once. */
export const NewRegistrationLink = z.extend(RegistrationLink, { token: z.string() })
export type NewRegistrationLink = z.infer<typeof NewRegistrationLink>

export const createRegistrationLink = endpoint({
  summary: 'Makes a link by which some people can register until it ends.',
  description: 'Only this answer contains the token of the link.',
  method: 'POST',
  path: '/api/admin/registration-links',
  input: z.object({
    label: AnyText(60),
    maxUses: z.int('Please enter a whole number.').check(z.minimum(1), z.maximum(linkUsesMax)),
    days: z.int('Please enter a whole number.').check(z.minimum(1), z.maximum(linkDaysMax)),
  }),
  output: NewRegistrationLink,
  status: 201,
  errors: ['TooManyRegistrationLinks'],
})

export const listRegistrationLinks = endpoint({
  summary: 'Lists the registration links that have not ended, the newest first.',
  method: 'GET',
  path: '/api/admin/registration-links',
  output: z.array(RegistrationLink),
})

export const endRegistrationLink = endpoint({
  summary: 'Ends a registration link.',
  description: 'People who have registered by it keep their accounts.',
  method: 'DELETE',
  path: '/api/admin/registration-links/:id',
  params: requestId,
  output: Done,
  errors: ['RegistrationLinkNotFound'],
})

/** In the body, never in an address: logs and histories keep addresses. */
export const RegistrationToken = AnyText(100)

export const checkRegistrationLink = endpoint({
  summary: 'Answers whether a registration link is good.',
  description: 'An unknown, ended or used-up link gets the same answer.',
  method: 'POST',
  path: '/api/registration-links/lookups',
  input: z.object({ token: RegistrationToken }),
  output: Done,
  errors: ['RegistrationLinkRefused'],
})
