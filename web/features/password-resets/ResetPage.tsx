import { type FormEvent, type ReactNode, useState } from 'react'
import { passcodeMessage, passwordLength } from '#contract/account/rules.ts'
import { resetPassword } from '#contract/password-resets/endpoints.ts'
import { lengthInCodePoints } from '#contract/text.ts'
import { openSignIn } from '#web/features/account/index.ts'
import { useToken } from '#web/lib/address-token.ts'
import { codeOf, sentenceOf, useAction } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Button } from '#web/ui/Button.tsx'
import { Drawing } from '#web/ui/Drawing.tsx'
import { TextField } from '#web/ui/TextField.tsx'

/** The page behind a reset link. The server learns the token with the new passcode, and says then whether it is good. */
export function ResetPage() {
  usePageTitle('New passcode')
  const token = useToken()
  // A link of another time is another form.
  return token === '' ? <Over /> : <ResetForm key={token} token={token} />
}

function ResetForm({ token }: { token: string }) {
  const [passcode, setPasscode] = useState('')
  const [isShort, setIsShort] = useState(false)
  const reset = useAction(resetPassword, { retries: false, failure: 'Failed to reset the passcode' })
  const [isDone, setIsDone] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const tooShort = lengthInCodePoints(passcode) < passwordLength.min
    setIsShort(tooShort)
    if (tooShort) return reset.reset()
    if (await reset.attempt({ input: { token, newPassword: passcode } })) setIsDone(true)
  }
  if (isDone)
    return (
      <Sheet title="Your new passcode is set" isNews action={<Button onClick={openSignIn}>Sign in</Button>}>
        You are signed out on all devices. Sign in with your email address and the new passcode.
      </Sheet>
    )
  if (codeOf(reset.error) === 'PasswordResetNotFound') return <Over isNews />
  const refusal = reset.error === null ? undefined : sentenceOf(reset.error, failed)
  return (
    <Sheet
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
      An admin made this link for you. You will sign in with this passcode, and all devices on which you are
      signed in now are signed out.
    </Sheet>
  )
}

const failed = 'Your passcode could not be set. Check the connection and try again.'

const Over = ({ isNews }: { isNews?: boolean }) => (
  <Sheet
    title="This link is no longer good"
    isNews={isNews}
    action={
      <Button variant="quiet" onClick={openSignIn}>
        Sign in
      </Button>
    }
  >
    A link is good once, for 30 minutes, and only while your passcode stays as it was. Ask an admin for a new
    one.
  </Sheet>
)

interface SheetProps {
  title: string
  children: ReactNode
  action: ReactNode
  /** It takes the place of a form: the focus goes to the title. */
  isNews?: boolean | undefined
}

const Sheet = ({ title, children, action, isNews = false }: SheetProps) => (
  <div className="flex w-full max-w-xl flex-col items-start gap-5">
    <Drawing of="door" />
    <h1 ref={isNews ? focus : undefined} tabIndex={-1} className="text-2xl text-balance outline-none">
      {title}
    </h1>
    <p className="max-w-prose font-serif text-lg text-balance text-ink-soft">{children}</p>
    {action}
  </div>
)

const focus = (element: HTMLElement | null) => element?.focus()
