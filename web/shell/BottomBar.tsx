import { lazy, Suspense, useState } from 'react'
import { displayName } from '#contract/account/display-name.ts'
import type { User } from '#contract/account/user.ts'
import { loadChangePasswordDialog, openSignIn, useLeaving, useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.ts'
import { PageLink } from './PageLink.tsx'

const action =
  'touch inline-flex items-center rounded-md px-2 py-1 text-sm text-ink-soft hover:bg-sunk hover:text-ink'

/** Who is here, and what they can do about it. */
export function BottomBar() {
  const { state, user } = useSession()
  const { supportEmail } = useAppConfig()
  const { logOut, removeAccount } = useLeaving()
  const [isChangingPassword, setIsChangingPassword] = useState(false)

  const removeGuest = () =>
    removeAccount().catch((error: unknown) => console.error('Account deletion failed', error))

  return (
    <section
      aria-label="Account"
      className="fixed inset-x-0 bottom-0 z-30 flex min-h-12 items-center justify-between gap-2 border-t border-line bg-surface px-4 py-1 pb-[max(0.25rem,env(safe-area-inset-bottom))] sm:px-6"
    >
      <p className="min-w-0 truncate text-xs text-ink-soft sm:text-sm">
        <span className="max-sm:sr-only">Logged in as </span>
        <strong className="font-medium text-ink">{nameOf(state, user)}</strong>
      </p>
      <div className="flex shrink-0 items-center">
        {(state === 'guest' || state === 'none') && (
          <button type="button" className={action} onClick={openSignIn}>
            Sign Up
          </button>
        )}
        {state === 'none' && (
          <button type="button" className={action} onClick={openSignIn}>
            Sign In
          </button>
        )}
        {state === 'guest' && (
          <button type="button" className={action} onClick={() => void removeGuest()}>
            Delete
          </button>
        )}
        {state === 'registered' && (
          <>
            <button type="button" className={action} onClick={() => setIsChangingPassword(true)}>
              Change Password
            </button>
            <button type="button" className={action} onClick={() => void logOut()}>
              Log Out
            </button>
          </>
        )}
        <a className={action} href={mailTo(supportEmail, user)}>
          Contact
        </a>
        <PageLink className={action} href="/about">
          Info
        </PageLink>
      </div>
      <Suspense>
        {isChangingPassword && <ChangePasswordDialog onClose={() => setIsChangingPassword(false)} />}
      </Suspense>
    </section>
  )
}

const ChangePasswordDialog = lazy(async () => ({ default: await loadChangePasswordDialog() }))

function nameOf(state: string, user: User | null) {
  if (user) return displayName(user)
  return state === 'none' ? 'Visitor' : '…'
}

/** A draft to the support address with who is asking, as far as they have an id and an email. */
export function mailTo(supportEmail: string, user: Pick<User, 'id' | 'email'> | null): string {
  const body = `User id: ${user?.id ?? ''}\nEmail: ${user?.email ?? ''}\n\n`
  return `mailto:${supportEmail}?body=${encodeURIComponent(body)}`
}
