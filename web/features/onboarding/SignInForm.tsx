import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { login } from '#contract/account/endpoints.ts'
import type { OwnSuspension } from '#contract/account/suspensions/endpoints.ts'
import { demoAccount, passcodeMessage, signInPasscodeMinLength } from '#contract/account/rules.ts'
import { resetPath } from '#contract/password-resets/path.ts'
import { useHasSessionEnded, useIsServerAway } from '#web/features/account/index.ts'
import { SuspendedNotice } from '#web/features/suspensions/index.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { RequestError } from '#web/lib/request.ts'
import { readKey } from '#web/lib/session-keys.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { completeEntry, reload } from './entering.ts'

/** For people with an account. Empty fields are filled with the demo account before anything is sent. */
export function SignInForm({ knownEmail }: { knownEmail?: string | undefined }) {
  const [email, setEmail] = useState('')
  const [passcode, setPasscode] = useState('')
  const emailField = useRef<HTMLInputElement>(null)
  const passcodeField = useRef<HTMLInputElement>(null)
  // The server does not know the last email. What a person typed, or the browser filled in, before the scripts worked is
  // only in the document.
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect
    setEmail(knownEmail ?? (emailField.current!.value || (readKey('lastUserEmail') ?? '')))
    setPasscode(passcodeField.current!.value)
  }, [knownEmail])
  const { sendsMail } = useAppConfig()
  const signIn = useAction(login, { failure: 'Login failed' })
  const alert = useAlert()
  const suspension = suspensionOf(signIn.error)
  const hasSessionEnded = useHasSessionEnded()
  const isServerAway = useIsServerAway()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const input = { email: email || demoAccount.email, password: passcode || demoAccount.password }
    setEmail(input.email)
    setPasscode(input.password)
    if (input.password.length < signInPasscodeMinLength) return alert(passcodeMessage)
    const user = await signIn.attempt({ input }, (error) =>
      suspensionOf(error) === null ? alert(reasonOf(error)) : undefined,
    )
    if (!user) return
    completeEntry(user)
    reload()
  }
  return (
    <form
      aria-label="Sign in"
      noValidate
      // Outside a dialog this method sends nothing: what was typed before the scripts run stays.
      method="dialog"
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4"
    >
      {hasSessionEnded && !suspension && (
        <p role="status" className="text-sm text-ink-soft">
          You were signed out, because your session has ended or your password or rights have changed. Please
          sign in again.
        </p>
      )}
      {isServerAway && (
        <QuietLine
          text="The server cannot answer at the moment, so this page does not know whether you are signed in."
          onTryAgain={() => location.reload()}
        />
      )}
      {suspension && <SuspendedNotice suspension={suspension} />}
      <TextField
        label="Email"
        ref={emailField}
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Passcode"
        ref={passcodeField}
        type="password"
        autoComplete="current-password"
        autoFocus={knownEmail !== undefined}
        value={passcode}
        onChange={(event) => setPasscode(event.target.value)}
      />
      <noscript>
        <p className="text-sm text-ink-soft">
          Signing in needs JavaScript. Reading does not: the feed, articles and stories are open to you.
        </p>
      </noscript>
      {sendsMail && (
        <a
          href={resetPath}
          className="touch self-start text-sm font-medium text-lamp underline underline-offset-4"
        >
          Forgot your passcode?
        </a>
      )}
      <Button type="submit" variant="quiet" busy={signIn.status === 'running'}>
        Sign In
      </Button>
    </form>
  )
}

const reasonOf = (error: unknown) =>
  error instanceof RequestError
    ? sentenceOf(error, 'Login failed. Please check your credentials.')
    : 'Network error. Please check your connection and try again.'

const suspensionOf = (error: unknown) =>
  error instanceof RequestError && error.code === 'Suspended' ? (error.current as OwnSuspension) : null
