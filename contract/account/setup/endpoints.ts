import * as z from 'zod/mini'
import { Email, Name, NewPassword } from '#contract/account/fields.ts'
import { adminPasswordMessage } from '#contract/account/rules.ts'
import { User } from '#contract/account/user.ts'
import { endpoint } from '#contract/endpoint.ts'
import { AnyText } from '#contract/schemas.ts'

export const createFirstAdmin = endpoint({
  summary: 'Makes the first admin account by the set-up code, and opens a session for it.',
  description:
    'A server that starts without an admin prints the code. A wrong or used code gets the same answer as any code on an instance with an admin.',
  method: 'POST',
  path: '/api/setup',
  /** In the body, never in an address: logs and histories keep addresses. */
  input: z.object({
    code: AnyText(100),
    name: Name,
    email: Email,
    passcode: NewPassword(adminPasswordMessage),
  }),
  output: User,
  status: 201,
  errors: ['SetupRefused', 'EmailTaken', 'PasswordTooShort', 'PasswordTooCommon'],
})
