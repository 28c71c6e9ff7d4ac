import { useState } from 'react'
import { useLocation } from 'wouter'
import { loginAsGuest } from '#contract/account/endpoints.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { randomId, startBrowsing, writeKey } from '#web/lib/session-storage.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { enter } from './entering.ts'
import { SignInForm } from './SignInForm.tsx'

/** The first page: what this house is, and the ways in. */
export function AboutUs({ onNext }: { onNext: () => void }) {
  const [, navigate] = useLocation()
  const [isRunning, setIsRunning] = useState(false)
  const alert = useAlert()

  const skip = async () => {
    setIsRunning(true)
    try {
      const guest = await send(loginAsGuest)
      writeKey('guestDeviceId', randomId())
      enter(guest)
    } catch (error) {
      console.error('Guest login failed', error)
      setIsRunning(false)
      await alert((error instanceof RequestError && error.error) || 'Guest login failed')
    }
  }
  const browse = () => {
    startBrowsing()
    navigate('/dashboard', { replace: true })
  }
  return (
    <>
      <p className="reading">
        A house of rooms for people who write. Read what others wrote today, keep a diary that nobody else can
        open, and continue one story together while the clock runs.
      </p>
      <div className="mt-8 grid gap-8 sm:grid-cols-2">
        <section aria-labelledby="new-here" className="flex flex-col gap-3">
          <h2 id="new-here" className="text-xl">
            New here?
          </h2>
          <Button onClick={onNext}>Next</Button>
          <Button variant="quiet" busy={isRunning} onClick={() => void skip()}>
            Skip
          </Button>
          <p className="text-sm text-ink-soft">
            Skip lets you in as a guest. You can sign up later and keep what you have.
          </p>
          <Button variant="link" className="w-fit" onClick={browse}>
            Browse the feed
          </Button>
        </section>
        <section aria-labelledby="sign-in" className="flex flex-col gap-3">
          <h2 id="sign-in" className="text-xl">
            Welcome back
          </h2>
          <SignInForm />
        </section>
      </div>
    </>
  )
}
