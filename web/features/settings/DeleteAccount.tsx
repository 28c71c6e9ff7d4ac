import { useState } from 'react'
import { SignInAgainDialog, useLeaving, useSession } from '#web/features/account/index.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/Button.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'

/** The server asks for the passcode when the person signed in more than 15 minutes ago. */
export function DeleteAccount() {
  const { state } = useSession()
  const { removeAccount } = useLeaving()
  const [asksPasscode, setAsksPasscode] = useState(false)
  const [error, setError] = useState<string>()
  if (state !== 'registered') return null

  const remove = async () => {
    setError(undefined)
    try {
      await removeAccount()
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
      <output className="mb-4 block text-sm text-bad empty:hidden">{error}</output>
      <Button variant="danger" onClick={() => void remove()}>
        Delete account
      </Button>
      {asksPasscode && (
        <SignInAgainDialog onSignedIn={() => void remove()} onClose={() => setAsksPasscode(false)} />
      )}
    </TitledCard>
  )
}
