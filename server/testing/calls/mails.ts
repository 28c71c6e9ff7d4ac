import {
  confirmEmail,
  getOwnEmail,
  listBouncedAddresses,
  listUnsentMails,
  requestConfirmation,
  retryMail,
} from '#contract/mails/endpoints.ts'
import { type CallRow, admins, everyone, people, row } from './row.ts'

export const mailsCalls: readonly CallRow[] = [
  row(getOwnEmail, people),
  row(requestConfirmation, people),
  row(confirmEmail, everyone, ({ confirmationTokens, next }) => ({
    input: { token: confirmationTokens[next() % confirmationTokens.length]! },
  })),
  row(listUnsentMails, admins, () => ({ query: { limit: '50' } })),
  row(listBouncedAddresses, admins, () => ({ query: { limit: '50' } })),
  row(retryMail, admins, ({ unsentMail }) => ({ params: { id: unsentMail } })),
]
