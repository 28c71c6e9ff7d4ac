import { type FormEvent, useState } from 'react'
import { login } from '#contract/account/endpoints.ts'
import { demoAccount, passcodeMessage, signInPasscodeMinLength } from '#contract/account/fields.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { readKey } from '#web/lib/session-storage.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { enter } from './entering.ts'

export const networkMessage = 'Network error. Please check your connection and try again.'

/** For those who have an account. Empty fields are filled with the demo account before anything is sent. */
export function SignInForm() {
  const [email, setEmail] = useState(() => readKey('lastUserEmail') ?? '')
  const [passcode, setPasscode] = useState('')
  const [isRunning, setIsRunning] = useState(false)
  const alert = useAlert()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const typed = { email: email || demoAccount.email, password: passcode || demoAccount.password }
    setEmail(typed.email)
    setPasscode(typed.password)
    if (typed.password.length < signInPasscodeMinLength) return alert(passcodeMessage)
    setIsRunning(true)
    try {
      enter(await send(login, { input: typed }))
    } catch (error) {
      console.error('Login failed', error)
      setIsRunning(false)
      await alert(sentenceOf(error))
    }
  }
  return (
    <form
      className="flex flex-col gap-4"
      aria-label="Sign in"
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Passcode"
        type="password"
        autoComplete="current-password"
        value={passcode}
        onChange={(event) => setPasscode(event.target.value)}
      />
      <Button type="submit" variant="quiet" busy={isRunning}>
        Sign In
      </Button>
    </form>
  )
}

function sentenceOf(error: unknown) {
  if (!(error instanceof RequestError)) return networkMessage
  return error.error ?? 'Login failed. Please check your credentials.'
}
