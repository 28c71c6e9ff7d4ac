import { loginAsGuest } from '#contract/account/endpoints.ts'
import { useAction } from '#web/lib/api.ts'
import { randomId, startBrowsing, writeKey } from '#web/lib/session-storage.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { saidByServer } from './api.ts'
import { completeEntry, openDashboard, reload } from './entering.ts'
import { SignInForm } from './SignInForm.tsx'

/** The first page: what this house is, and the ways in. */
export function AboutUs({ onNext }: { onNext: () => void }) {
  const guestLogin = useAction(loginAsGuest)
  const alert = useAlert()

  const skip = async () => {
    try {
      completeEntry(await guestLogin.run())
      writeKey('guestDeviceId', randomId())
      reload()
    } catch (error) {
      console.error('Guest login failed', error)
      await alert(saidByServer(error) ?? 'Guest login failed')
    }
  }
  const browse = () => {
    startBrowsing()
    openDashboard()
  }
  return (
    <div className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
      <p className="leading-relaxed font-serif sm:col-span-2">
        Every day is a page that its writers fill: poems, stories, thoughts. Keep a diary of your own, and
        meet in rooms where a group writes one story while the clock runs.
      </p>
      <section aria-labelledby="new-here" className="flex flex-col gap-3">
        <h2 id="new-here" className="text-lg">
          New here
        </h2>
        <Button onClick={onNext}>Next</Button>
        <Button variant="quiet" busy={guestLogin.status === 'running'} onClick={() => void skip()}>
          Skip
        </Button>
        <p className="text-sm text-ink-soft">Skip lets you in as a guest, without an account.</p>
        <Button variant="link" className="w-fit text-sm" onClick={browse}>
          Browse the feed
        </Button>
      </section>
      <section aria-labelledby="at-home-here" className="flex flex-col gap-3">
        <h2 id="at-home-here" className="text-lg">
          At home here
        </h2>
        <SignInForm />
      </section>
    </div>
  )
}
