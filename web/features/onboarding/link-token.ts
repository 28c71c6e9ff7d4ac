import { linkMark } from '#contract/account/registration/rules.ts'
import { storedText } from '#web/lib/storage.ts'

/** The token of the registration link by which the page was opened. It stands behind `#`, so that no server sees it. */
export function linkToken(): string | undefined {
  const hash = location.hash.slice(1)
  return hash.startsWith(linkMark) ? hash.slice(linkMark.length) : undefined
}

/** That token, while the person is at the OpenID Connect provider. */
export const storedLinkToken = storedText('registration-link', { area: 'sessionStorage' })
