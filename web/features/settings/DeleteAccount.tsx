import { type FormEvent, useState } from 'react'
import { login } from '#contract/account/endpoints.ts'
import { useLeaving, useSession } from '#web/features/account/index.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import { send } from '#web/lib/request.ts'
import { Button } from '#web/ui/Button.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { TextField } from '#web/ui/TextField.tsx'

/** The server asks for the passcode when the person signed in more than 15 minutes ago. */
export function DeleteAccount() {
  const { state, user } = useSession()
  const { removeAccount } = useLeaving()
  const [asksPasscode, setAsksPasscode] = useState(false)
  const [passcode, setPasscode] = useState('')
  const [error, setError] = useState<string>()
  if (state !== 'registered') return null

  const signInAgain = async () => {
    if (asksPasscode) await send(login, { input: { email: user.email ?? '', password: passcode } })
  }
  const remove = async (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    try {
      await removeAccount(signInAgain)
    } catch (refusal) {
      if (codeOf(refusal) === 'SignInAgainToDeleteAccount') setAsksPasscode(true)
      else setError(sentenceOf(refusal, 'Your account could not be deleted.'))
    }
  }
  return (
    <TitledCard title="Delete account" className="p-6">
      <p className="mt-2 mb-4 text-sm text-ink-soft">
        Everything private is deleted for good. What you published stays, under ‘Deleted user’.
      </p>
      <form className="flex max-w-sm flex-col gap-4" onSubmit={(event) => void remove(event)}>
        {asksPasscode && (
          <TextField
            label="Passcode"
            hint="You signed in a while ago. Please type your passcode again."
            type="password"
            autoComplete="current-password"
            value={passcode}
            error={error}
            required
            onChange={(event) => setPasscode(event.target.value)}
          />
        )}
        {!asksPasscode && error !== undefined && <output className="text-sm text-bad">{error}</output>}
        <Button type="submit" variant="danger" className="w-fit">
          Delete account
        </Button>
      </form>
    </TitledCard>
  )
}
