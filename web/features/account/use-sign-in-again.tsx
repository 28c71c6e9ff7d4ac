import { type ReactNode, useRef, useState } from 'react'
import type { Snapshot } from '#web/lib/editor/snapshot.ts'
import { RequestError } from '#web/lib/request.ts'
import { Button } from '#web/ui/Button.tsx'
import { useSession } from './session.tsx'
import { SignInAgainDialog } from './sign-in-again.ts'

/**
 * For a text that could not be saved because the session has ended: a button, for the form of the text, and the dialog that the
 * button opens. Place the dialog outside of that form. Otherwise the form of the dialog would submit that form too. `focusAfter`
 * selects what has the focus after the sign-in.
 */
export function useSignInAgain(
  { state, error }: Pick<Snapshot, 'state' | 'error'>,
  onSignedIn: () => void,
  focusAfter = 'textarea',
): { button: ReactNode; dialog: ReactNode } {
  const { user } = useSession()
  const button = useRef<HTMLButtonElement>(null)
  /** What has the focus after the sign-in. The dialog is open while it is set. */
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const [wasSignedOut, setSignedOut] = useState(false)
  const isSaved = state === 'saved' || state === 'unchanged'
  // The button stays while the person goes on writing and the text is sent again.
  const isSignedOut =
    state === 'failed' ? error instanceof RequestError && error.status === 401 : wasSignedOut && !isSaved
  if (isSignedOut !== wasSignedOut) setSignedOut(isSignedOut)
  return {
    // A guest has no passcode.
    button: isSignedOut && user?.isAnonymous === false && (
      <Button
        ref={button}
        variant="link"
        className="text-sm"
        onClick={({ currentTarget }) => setTarget(currentTarget.form!.querySelector<HTMLElement>(focusAfter))}
      >
        Sign in again
      </Button>
    ),
    dialog: target && (
      <SignInAgainDialog
        hasEnded
        // The sign-in removes the button. The person then goes on writing.
        focusAfter={() => button.current ?? target}
        onSignedIn={() => {
          setSignedOut(false)
          onSignedIn()
        }}
        onClose={() => setTarget(null)}
      />
    ),
  }
}
