import { type FormEvent, useState } from 'react'
import { isAddress } from '#contract/account/rules.ts'
import { requestPasswordReset } from '#contract/password-resets/endpoints.ts'
import { openSignIn } from '#web/features/account/index.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { readKey } from '#web/lib/session-keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { LinkSheet } from '#web/ui/LinkSheet.tsx'
import { TextField } from '#web/ui/TextField.tsx'

/** Asks for a link by mail. The answer is the same for every address. */
export function RequestForm() {
  const [email, setEmail] = useState(() => readKey('lastUserEmail') ?? '')
  const [isWrong, setIsWrong] = useState(false)
  const [isSent, setIsSent] = useState(false)
  const request = useAction(requestPasswordReset, { retries: false, failure: 'Failed to ask for a link' })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isRight = isAddress(email.trim())
    setIsWrong(!isRight)
    if (!isRight) return request.reset()
    if (await request.attempt({ input: { email } })) setIsSent(true)
  }
  if (isSent)
    return (
      <LinkSheet
        title="Look into your mailbox"
        isNews
        action={
          <Button variant="quiet" onClick={openSignIn}>
            Sign In
          </Button>
        }
      >
        If an account has {email.trim()} as its confirmed address, a link is on its way. It is good for 30
        minutes. When no mail comes, look among the spam, or ask an admin for a link.
      </LinkSheet>
    )
  const refusal = request.error === null ? undefined : sentenceOf(request.error, failed)
  return (
    <LinkSheet
      title="Forgot your passcode?"
      action={
        <form
          className="flex w-full max-w-sm flex-col gap-4"
          noValidate
          onSubmit={(event) => void submit(event)}
        >
          <TextField
            label="Email"
            type="email"
            autoComplete="username"
            value={email}
            error={isWrong ? 'Please enter your email address.' : refusal}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Button type="submit" className="self-start" busy={request.status === 'running'}>
            Send me a link
          </Button>
        </form>
      }
    >
      We mail a link to the confirmed address of your account. The link lets you set a new passcode.
    </LinkSheet>
  )
}

const failed = 'That could not be sent. Check the connection and try again.'
