import * as z from 'zod/mini'
import { registrationErrors } from '#contract/account/endpoints.ts'
import { Name, NewPassword } from '#contract/account/fields.ts'
import { Agrees, RegistrationToken } from '#contract/account/registration/endpoints.ts'
import { passcodeMessage } from '#contract/account/rules.ts'
import { User } from '#contract/account/user.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Done, Instant } from '#contract/schemas.ts'

/** An attempt to sign in, or to link an account, that the provider has to answer within ten minutes. */
export const OpenidAttempt = z.object({
  /** The address at the provider to which the browser goes. */
  address: z.string(),
})

export const startOpenidSignIn = endpoint({
  summary: 'Begins a sign-in by the OpenID Connect provider of this installation.',
  description: 'A cookie binds the attempt to the browser. The answer names the address to open.',
  method: 'POST',
  path: '/api/openid/attempts',
  output: OpenidAttempt,
  status: 201,
  errors: ['OpenidOff', 'OpenidUnavailable'],
})

export const startOpenidLink = endpoint({
  summary: 'Begins to link the account of the caller with one at the OpenID Connect provider.',
  description: 'The session of the call must be less than 15 minutes old.',
  method: 'POST',
  path: '/api/me/openid/attempts',
  output: OpenidAttempt,
  status: 201,
  errors: [
    'OpenidOff',
    'OpenidUnavailable',
    'OpenidAlreadyLinked',
    'OpenidNotForModerators',
    'SignInAgainToLink',
    'DemoAccountStays',
  ],
})

/** What an attempt has led to. */
export const OpenidOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('signed-in'), user: User }),
  z.object({ outcome: z.literal('linked') }),
  /** Nobody has an account for the person yet. `name` is the one at the provider, and may be empty. */
  z.object({ outcome: z.literal('new'), email: z.string(), name: z.string() }),
])
export type OpenidOutcome = z.infer<typeof OpenidOutcome>

export const finishOpenidAttempt = endpoint({
  summary: 'Ends an attempt by the answer of the provider: signs in, links, or offers to sign up.',
  description:
    'An attempt is good once. A suspended person gets `Suspended` with the reason and the end in `current`.',
  method: 'POST',
  path: '/api/openid/answers',
  input: z.object({
    /** The query of the address to which the provider has sent the browser. */
    answer: z.string().check(z.maxLength(8192)),
  }),
  output: OpenidOutcome,
  errors: [
    'OpenidOff',
    'OpenidUnavailable',
    'OpenidAttemptEnded',
    'OpenidDenied',
    'OpenidAnswerRefused',
    'OpenidEmailUnverified',
    'OpenidAccountExists',
    'OpenidNotForModerators',
    'OpenidLinkTaken',
    'OpenidAlreadyLinked',
    'SignInAgainToLink',
    'DemoAccountStays',
    'RegistrationClosed',
    'RegistrationNeedsApproval',
    'Suspended',
  ],
})

export const registerByOpenid = endpoint({
  summary: 'Makes the account of a person whom the provider has identified, and opens a session for it.',
  method: 'POST',
  path: '/api/openid/register',
  input: z.object({
    name: Name,
    passcode: NewPassword(passcodeMessage),
    agrees: Agrees,
    registrationToken: z.optional(RegistrationToken),
  }),
  output: User,
  status: 201,
  errors: ['OpenidAttemptEnded', 'OpenidLinkTaken', ...registrationErrors],
})

const path = '/api/me/openid'

export const getOpenidLink = endpoint({
  summary: 'Answers since when the account of the caller is linked, null for one that is not.',
  method: 'GET',
  path,
  output: z.object({ linkedAt: z.nullable(Instant) }),
})

export const deleteOpenidLink = endpoint({
  summary: 'Unlinks the account of the caller.',
  description: 'A repeated call answers like the first one.',
  method: 'DELETE',
  path,
  output: Done,
})
