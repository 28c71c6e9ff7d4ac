import type { User } from '#contract/account/user.ts'
import { completeOnboarding, stopBrowsing, writeKey } from '#web/lib/session-storage.ts'
import { forgetDraft } from './draft.ts'

/** Remembers who came in: from now on the house is open, and what was typed at the door is forgotten. */
export function completeEntry({ id, email }: User): void {
  writeKey('userId', id)
  if (email !== null) writeKey('lastUserEmail', email)
  completeOnboarding()
  stopBrowsing()
  forgetDraft()
}

export const openDashboard = (): void => location.replace('/dashboard')

/** Opens the same page again, now as somebody; the address of the door itself would only lead back to it. */
export function reload(): void {
  if (new URLSearchParams(location.search).has('onboarding')) openDashboard()
  else location.reload()
}
