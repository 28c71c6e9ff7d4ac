import { Button } from '#web/ui/Button.tsx'
import { openSignIn } from './session.tsx'

/** The saved state of a text of a person without an account. */
export function KeptInBrowser() {
  return (
    <>
      <span>Kept in this browser only</span>
      <Button variant="link" onClick={openSignIn}>
        Sign up to keep it
      </Button>
    </>
  )
}
