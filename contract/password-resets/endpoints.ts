import * as z from 'zod/mini'
import { Email, NewPassword } from '#contract/account/fields.ts'
import { passcodeMessage } from '#contract/account/rules.ts'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText, Done, Instant, PersonId } from '#contract/schemas.ts'

/** A new link, with the token that is shown this once. */
export const NewPasswordReset = z.object({ token: z.string(), expiresAt: Instant })
export type NewPasswordReset = z.infer<typeof NewPasswordReset>

export const createPasswordReset = endpoint({
  summary: 'Makes a link by which a person sets a new password, once and within 30 minutes.',
  description:
    'Only this answer contains the token of the link. A new link replaces the one before. The person is notified. The session must be less than 15 minutes old.',
  method: 'POST',
  path: '/api/admin/users/:id/password-resets',
  params: z.object({ id: PersonId }),
  output: NewPasswordReset,
  status: 201,
  errors: ['UserNotFound', 'AdminResetsOnServer', 'DemoAccountStays', 'SignInAgainToResetPassword'],
})

export const requestPasswordReset = endpoint({
  summary: 'Mails a link that sets a new password, if the address is the confirmed one of a person.',
  description:
    'The answer is the same for every address. The link is good once, for 30 minutes. Admins get none, and nothing is mailed when the instance sends no mail.',
  method: 'POST',
  path: '/api/password-reset-requests',
  input: z.object({ email: Email }),
  output: Done,
})

export const resetPassword = endpoint({
  summary:
    'Sets the password of the person for whom a reset link was made or mailed, and ends the sessions of the person.',
  description:
    'An unknown, used, replaced or expired link gets the same answer as one that is void because the password was changed since, or its admin is no admin any more.',
  method: 'POST',
  path: '/api/password-resets',
  /** In the body, never in an address: logs and histories keep addresses. */
  input: z.object({ token: AnyText(100), newPassword: NewPassword(passcodeMessage) }),
  output: Done,
  errors: ['PasswordResetNotFound', 'PasswordTooShort', 'PasswordTooCommon'],
})
