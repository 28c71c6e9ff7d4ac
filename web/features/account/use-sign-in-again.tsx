import { type ReactNode, useState } from 'react'
import type { Snapshot } from '#web/lib/editor/snapshot.ts'
import { RequestError } from '#web/lib/request.ts'
import { Button } from '#web/ui/Button.tsx'
import { useSession } from './session.tsx'
import { SignInAgainDialog } from './sign-in-again.ts'

/**
 * For a text that could not be saved because the session has ended: a button that stands beside its state, and the dialog that the
 * button opens. The dialog must stand outside of the form of the text, which would be submitted with that of the dialog.
 */
export function useSignInAgain(
  { state, error }: Pick<Snapshot, 'state' | 'error'>,
  onSignedIn: () => void,
): { button: ReactNode; dialog: ReactNode } {
  const { user } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  const isSignedOut = state === 'failed' && error instanceof RequestError && error.status === 401
  return {
    // A guest has no passcode.
    button: isSignedOut && user?.isAnonymous === false && (
      <Button variant="link" onClick={() => setIsOpen(true)}>
        Sign in again
      </Button>
    ),
    dialog: isOpen && <SignInAgainDialog onSignedIn={onSignedIn} onClose={() => setIsOpen(false)} />,
  }
}
