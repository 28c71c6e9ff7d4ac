import { isAddress } from '#contract/account/rules.ts'
import { linesOf, quoted } from './lines.ts'

export const refusedEmailsMax = 1000
export const refusedEmailsCharactersMax = 20_000
export const refusedNetworksMax = 200
export const refusedNetworksCharactersMax = 10_000

const domain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

export const refusedEmailError = (line: string): string | undefined =>
  domain.test(line) || isAddress(line)
    ? undefined
    : `${quoted(line)} is neither a domain, such as example.org, nor an email address.`

/** Reads a list of domains and email addresses, and returns whether it refuses an address. */
export function readRefusedEmails(list: string): (email: string) => boolean {
  const refused = new Set(linesOf(list.toLowerCase()))
  return (email) => {
    const [name = '', host = ''] = email.split('@')
    const labels = host.split('.')
    return (
      refused.has(email) ||
      // Mail to ana+news@example.org arrives at ana@example.org.
      refused.has(`${name.split('+')[0]}@${host}`) ||
      labels.some((_, from) => refused.has(labels.slice(from).join('.')))
    )
  }
}
