import { displayName, fullNameOf } from '#contract/account/display-name.ts'
import type { User } from '#contract/account/user.ts'

/** The name that is proposed for a post. Everybody will read it: it never comes from the email address. */
export const proposedAuthorName = (user: User): string =>
  fullNameOf(user) || (user.isAnonymous ? displayName(user) : (user.username ?? ''))
