import type { User } from '#contract/account/user.ts'
import { completeOnboarding, stopBrowsing, writeKey } from '#web/lib/session-storage.ts'
import { forgetDraft } from './draft.ts'

/** Remembers who came in and opens the house anew, away from the door's own address. */
export function enter(user: User): void {
  writeKey('userId', user.id)
  if (user.email !== null) writeKey('lastUserEmail', user.email)
  completeOnboarding()
  stopBrowsing()
  forgetDraft()
  if (new URLSearchParams(location.search).has('onboarding')) location.replace('/')
  else location.reload()
}
