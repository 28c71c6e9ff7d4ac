import type { ReactNode } from 'react'
import { displayName } from '#contract/account/display-name.ts'
import type { User } from '#contract/account/user.ts'
import { openSignIn, useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { PageLink } from './PageLink.tsx'

export const actionClass =
  'touch inline-flex items-center rounded-md px-2 py-1 text-sm whitespace-nowrap text-ink-soft max-sm:min-h-11 sm:justify-center hover:bg-sunk hover:text-ink'

/** Names the current person. Beside what everybody may do, the row shows the actions of this person. */
export function AccountRow({ children }: { children?: ReactNode }) {
  const { state, user } = useSession()
  const { supportEmail } = useAppConfig()
  return (
    <div className="flex min-h-10 flex-col justify-between gap-x-2 sm:flex-row sm:items-center">
      <p className="min-w-0 text-sm text-ink-soft sm:truncate">
        Logged in as <strong className="font-medium text-ink">{nameOf(state, user)}</strong>
      </p>
      <div className="-mx-2 flex shrink-0 justify-between max-sm:mt-2 max-sm:flex-col sm:items-center">
        {(state === 'guest' || state === 'none') && (
          <button type="button" className={actionClass} onClick={openSignIn}>
            Sign Up
          </button>
        )}
        {state === 'none' && (
          <button type="button" className={actionClass} onClick={openSignIn}>
            Sign In
          </button>
        )}
        {children}
        <a className={actionClass} href={mailTo(supportEmail, user)}>
          Contact
        </a>
        <PageLink className={actionClass} href="/about">
          Info
        </PageLink>
      </div>
    </div>
  )
}

export function nameOf(state: string, user: User | null) {
  if (user) return displayName(user)
  return state === 'none' ? 'Visitor' : '…'
}

/** A mail to the support address with the id and the email of the person, if there are any. */
export function mailTo(supportEmail: string, user: Pick<User, 'id' | 'email'> | null): string {
  const body = `User id: ${user?.id ?? ''}\nEmail: ${user?.email ?? ''}\n\n`
  return `mailto:${supportEmail}?body=${encodeURIComponent(body)}`
}
