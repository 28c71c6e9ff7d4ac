import { Suspense, useEffect, useState } from 'react'
import { displayName } from '#contract/account/display-name.ts'
import type { User } from '#contract/account/user.ts'
import { loadChangePasswordDialog, openSignIn, useLeaving, useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.ts'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { PageLink } from './PageLink.tsx'

const action =
  'touch inline-flex items-center justify-center rounded-md px-1.5 py-1 text-sm whitespace-nowrap text-ink-soft sm:px-2 hover:bg-sunk hover:text-ink'

/** Names the current person and offers the actions of their account. */
export function BottomBar() {
  const { state, user } = useSession()
  const { supportEmail } = useAppConfig()
  const { logOut, removeAccount } = useLeaving()
  const [isChangingPassword, setIsChangingPassword] = useState(false)
  const [hasDeletionFailed, setHasDeletionFailed] = useState(false)
  const isReadingOn = useIsScrollingDown()

  const removeGuest = () => {
    setHasDeletionFailed(false)
    removeAccount().catch(() => setHasDeletionFailed(true))
  }

  return (
    <section
      aria-label="Account"
      ref={publishHeight}
      data-away={isReadingOn}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface px-4 py-1 pb-[max(0.25rem,env(safe-area-inset-bottom))] transition-transform duration-200 ease-out sm:px-6 phone-writing:hidden max-sm:in-[:root:has(textarea:focus)]:hidden max-sm:not-focus-within:data-[away=true]:translate-y-full"
    >
      {hasDeletionFailed && <QuietLine text="Your account could not be deleted." onTryAgain={removeGuest} />}
      <div className="flex min-h-10 flex-col justify-between gap-x-2 sm:flex-row sm:items-center">
        <p className="min-w-0 truncate text-xs text-ink-soft sm:text-sm">
          Logged in as <strong className="font-medium text-ink">{nameOf(state, user)}</strong>
        </p>
        <div className="-mx-1.5 flex sm:-mx-2 shrink-0 items-center justify-between">
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
            <button type="button" className={action} onClick={removeGuest}>
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
      </div>
      <Suspense>
        {isChangingPassword && <ChangePasswordDialog onClose={() => setIsChangingPassword(false)} />}
      </Suspense>
    </section>
  )
}

const ChangePasswordDialog = part(loadChangePasswordDialog, failedDialog)

const scrollStep = 8

/** Whether the last step of scrolling went down the page. */
function useIsScrollingDown() {
  const [isDown, setIsDown] = useState(false)
  useEffect(() => {
    let last = scrollY
    const onScroll = () => {
      if (Math.abs(scrollY - last) < scrollStep) return
      setIsDown(scrollY > Math.max(last, 0))
      last = scrollY
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  return isDown
}

/** Keeps the height of the bar in a CSS property: the end of the page and the toasts stay above the bar. */
function publishHeight(bar: HTMLElement) {
  const publish = (height: number) =>
    document.documentElement.style.setProperty('--bottom-bar', `${height}px`)
  const observer = new ResizeObserver(() => publish(bar.offsetHeight))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    publish(0)
  }
}

function nameOf(state: string, user: User | null) {
  if (user) return displayName(user)
  return state === 'none' ? 'Visitor' : '…'
}

/** A mail to the support address with the id and the email of the person, if there are any. */
export function mailTo(supportEmail: string, user: Pick<User, 'id' | 'email'> | null): string {
  const body = `User id: ${user?.id ?? ''}\nEmail: ${user?.email ?? ''}\n\n`
  return `mailto:${supportEmail}?body=${encodeURIComponent(body)}`
}
