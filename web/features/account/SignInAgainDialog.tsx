import { type FormEvent, useState } from 'react'
import { login } from '#contract/account/endpoints.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { failedLine, part } from '#web/ui/part.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useSession } from './session.tsx'

export interface SignInAgainDialogProps {
  /** Called with a session that was just opened. */
  onSignedIn: () => void
  onClose: () => void
  focusAfter?: () => HTMLElement | null
  /** The session has ended, so a sign-in at the OpenID Connect provider helps too. It leaves the page, and comes back to it. */
  hasEnded?: boolean
}

/** Asks for the passcode where the server accepts only a recent sign-in. */
export function SignInAgainDialog({ onSignedIn, onClose, focusAfter, hasEnded }: SignInAgainDialogProps) {
  const { user } = useSession()
  const { openidName } = useAppConfig()
  const [passcode, setPasscode] = useState('')
  const signIn = useAction(login, { retries: false })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await signIn.attempt({ input: { email: user?.email ?? '', password: passcode } }))) return
    onClose()
    onSignedIn()
  }
  return (
    <Dialog
      title="Please sign in again"
      description={`${hasEnded ? 'Your session has ended' : 'You signed in a while ago'}. Type your passcode to go on.`}
      size="field"
      startsInField
      {...(focusAfter && { focusAfter })}
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Passcode"
          type="password"
          autoComplete="current-password"
          value={passcode}
          error={signIn.error === null ? undefined : sentenceOf(signIn.error, failed)}
          required
          onChange={(event) => setPasscode(event.target.value)}
        />
        <Button type="submit" busy={signIn.status === 'running'}>
          Continue
        </Button>
      </form>
      {hasEnded && openidName && !user?.isAdmin && !user?.isModerator && (
        <div className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
          <OpenidButton name={openidName} personId={user?.id} />
        </div>
      )}
    </Dialog>
  )
}

const OpenidButton = part(async () => (await import('./OpenidButton.tsx')).OpenidButton, failedLine)

const failed = 'You could not be signed in. Check the connection and try again.'
