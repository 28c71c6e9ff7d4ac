import {
  createPasswordReset,
  requestPasswordReset,
  resetPassword,
} from '#contract/password-resets/endpoints.ts'
import { type CallRow, admins, everyone, row } from './row.ts'

export const passwordResetsCalls: readonly CallRow[] = [
  row(createPasswordReset, { ...admins, admin: 201 }, ({ follower }) => ({ params: { id: follower } })),
  row(resetPassword, everyone, ({ resetTokens, next }) => ({
    input: { token: resetTokens[next() % resetTokens.length]!, newPassword: 'a second password' },
  })),
  row(requestPasswordReset, everyone, () => ({ input: { email: 'somebody@example.org' } })),
]
