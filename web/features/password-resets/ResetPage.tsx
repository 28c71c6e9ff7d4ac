import { type FormEvent, useState } from 'react'
import { passcodeMessage, passwordLength } from '#contract/account/rules.ts'
import { resetPassword } from '#contract/password-resets/endpoints.ts'
import { lengthInCodePoints } from '#contract/text.ts'
import { resetPath } from '#contract/password-resets/path.ts'
import { openSignIn } from '#web/features/account/index.ts'
import { useToken } from '#web/lib/address-token.ts'
import { codeOf, sentenceOf, useAction } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { LinkSheet } from '#web/ui/LinkSheet.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { RequestForm } from './RequestForm.tsx'

/** The page behind a reset link. The server learns the token with the new passcode, and says then whether it is good. */
export function ResetPage() {
  usePageTitle('New passcode')
  const token = useToken()
  const { sendsMail } = useAppConfig()
  if (token === '') return sendsMail ? <RequestForm /> : <Over />
  // A link of another time is another form.
  return <ResetForm key={token} token={token} />
}

function ResetForm({ token }: { token: string }) {
  const [passcode, setPasscode] = useState('')
  const [isShort, setIsShort] = useState(false)
  const reset = useAction(resetPassword, { retries: false, failure: 'Failed to reset the passcode' })
  const [isDone, setIsDone] = useState(false)
  const { sendsMail } = useAppConfig()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const tooShort = lengthInCodePoints(passcode) < passwordLength.min
    setIsShort(tooShort)
    if (tooShort) return reset.reset()
    if (await reset.attempt({ input: { token, newPassword: passcode } })) setIsDone(true)
  }
  if (isDone)
    return (
      <LinkSheet
        title="Your new passcode is set"
        isNews
        action={<Button onClick={openSignIn}>Sign In</Button>}
      >
        You are signed out on all devices. Sign in with your email address and the new passcode.
      </LinkSheet>
    )
  if (codeOf(reset.error) === 'PasswordResetNotFound') return <Over isNews />
  const refusal = reset.error === null ? undefined : sentenceOf(reset.error, failed)
  return (
    <LinkSheet
      title="Choose a new passcode"
      action={
        <form className="flex w-full max-w-sm flex-col gap-4" onSubmit={(event) => void submit(event)}>
          <TextField
            label="New passcode"
            type="password"
            autoComplete="new-password"
            value={passcode}
            error={isShort ? passcodeMessage : refusal}
            onChange={(event) => setPasscode(event.target.value)}
          />
          <Button type="submit" className="self-start" busy={reset.status === 'running'}>
            Set passcode
          </Button>
        </form>
      }
    >
      {!sendsMail && 'An admin made this link for you. '}You will sign in with this passcode, and all devices
      on which you are signed in now are signed out.
    </LinkSheet>
  )
}

const failed = 'Your passcode could not be set. Check the connection and try again.'

function Over({ isNews }: { isNews?: boolean }) {
  const { sendsMail } = useAppConfig()
  return (
    <LinkSheet
      title="This link is no longer good"
      isNews={isNews}
      action={
        <div className="flex flex-wrap gap-3">
          {sendsMail && (
            <a href={resetPath} className={buttonClass()}>
              Get another link by mail
            </a>
          )}
          <Button variant="quiet" onClick={openSignIn}>
            Sign In
          </Button>
        </div>
      }
    >
      A link is good once, for 30 minutes, and only while your passcode stays as it was. Ask an admin for a
      new one.
    </LinkSheet>
  )
}
