import type { User } from '#contract/account/user.ts'
import { invitationPath } from '#contract/invitations/path.ts'
import { completeOnboarding } from '#web/features/account/index.ts'
import { stopBrowsing, writeKey } from '#web/lib/session-keys.ts'
import { forgetDraft } from './draft.ts'

/** Stores who signed in, marks onboarding as completed and deletes its draft. */
export function completeEntry({ id, email }: User): void {
  writeKey('userId', id)
  if (email !== null) writeKey('lastUserEmail', email)
  completeOnboarding()
  stopBrowsing()
  forgetDraft()
}

export const openDashboard = (): void => location.replace('/dashboard')

/** Opens the invitation that the person has followed, or else the dashboard. */
export function openFirstPage(): void {
  const { pathname, hash } = location
  if (pathname === invitationPath) location.replace(`${invitationPath}${hash}`)
  else openDashboard()
}

/** Loads the page again with the new session. The address of onboarding leads to the first page instead. */
export function reload(): void {
  if (new URLSearchParams(location.search).has('onboarding')) openFirstPage()
  else location.reload()
}
