import { loginAsGuest } from '#contract/account/endpoints.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useIsInBrowser } from '#web/lib/in-browser.ts'
import { randomId, startBrowsing, writeKey } from '#web/lib/session-keys.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { pressed } from '#web/ui/pressed.ts'
import { failedLine, part } from '#web/ui/part.tsx'
import { completeEntry, openDashboard, reload } from './entering.ts'
import { SignInForm } from './SignInForm.tsx'

interface AboutUsProps {
  onNext: () => void
  /** A pointer or the focus has reached the button of the next page. */
  onNextNear: () => void
  /** The address of a person who found out on the next page that there is an account for it. */
  knownEmail: string | undefined
}

/** The first page: what Z!mmer is, and how to enter. */
export function AboutUs({ onNext, onNextNear, knownEmail }: AboutUsProps) {
  const guestLogin = useAction(loginAsGuest, { failure: 'Guest login failed' })
  const alert = useAlert()
  const { access, openidName } = useAppConfig()
  const isInBrowser = useIsInBrowser()

  const skip = async () => {
    const guest = await guestLogin.attempt({}, (error) => alert(sentenceOf(error, 'Guest login failed')))
    if (!guest) return
    completeEntry(guest)
    writeKey('guestDeviceId', randomId())
    reload()
  }
  const browse = () => {
    startBrowsing()
    openDashboard()
  }
  return (
    <div className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
      <p className="leading-relaxed font-serif sm:col-span-2">
        Read what people write each day: poems, stories, thoughts. Keep a diary of your own, and meet in timed
        rooms where a group writes one story together.
      </p>
      <section aria-labelledby="new-here" className="flex flex-col gap-3">
        <h2 id="new-here" className="text-lg">
          New here
        </h2>
        {access ? (
          // The server cannot know whether the visitor has a link.
          isInBrowser && (
            <RestrictedEntry registration={access.registration} onNext={onNext} onNextNear={onNextNear} />
          )
        ) : (
          <Button onClick={onNext} onPointerEnter={onNextNear} onFocus={onNextNear}>
            Next
          </Button>
        )}
        {access?.guests !== false && (
          <>
            <Button variant="quiet" busy={guestLogin.status === 'running'} onClick={() => void skip()}>
              Skip
            </Button>
            <p className="text-sm text-ink-soft">Skip to look around as a guest.</p>
          </>
        )}
        <a href="/dashboard" className={buttonClass('link', 'w-fit text-sm')} onClick={pressed(browse)}>
          Browse the feed
        </a>
      </section>
      <section aria-labelledby="welcome-back" className="flex flex-col gap-3">
        <h2 id="welcome-back" className="text-lg">
          Welcome back
        </h2>
        <SignInForm knownEmail={knownEmail} />
      </section>
      {openidName && isInBrowser && <OpenidEntry name={openidName} />}
    </div>
  )
}

const OpenidEntry = part(async () => (await import('./OpenidEntry.tsx')).OpenidEntry, failedLine)
const RestrictedEntry = part(async () => (await import('./restricted.tsx')).RestrictedEntry, failedLine)
