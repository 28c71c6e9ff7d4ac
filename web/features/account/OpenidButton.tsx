import { useState } from 'react'
import { startOpenidSignIn } from '#contract/openid/endpoints.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { whenDraftsWritten } from '#web/lib/editor/all-drafts.ts'
import { Button } from '#web/ui/Button.tsx'
import { removeReturns, storedReturn } from './openid-return.ts'

interface OpenidButtonProps {
  /** The name of the provider. */
  name: string
  /** The person who comes back to this page. Anybody else who signs in there comes to the feed. */
  personId?: string | undefined
  /** Called before the browser leaves the page. */
  onLeave?: () => void
}

/** Leads to the sign-in at the OpenID Connect provider. What is typed stays in its drafts meanwhile. */
export function OpenidButton({ name, personId, onLeave }: OpenidButtonProps) {
  const start = useAction(startOpenidSignIn, { retries: false, failure: 'Failed to begin the sign-in' })
  const [isUnwritten, setIsUnwritten] = useState(false)

  const press = async () => {
    const areWritten = await whenDraftsWritten()
    setIsUnwritten(!areWritten)
    const attempt = areWritten && (await start.attempt())
    if (!attempt) return
    removeReturns()
    if (personId) storedReturn(personId).write(location.href)
    onLeave?.()
    location.assign(attempt.address)
  }
  return (
    <>
      <Button
        variant="quiet"
        className="max-w-full whitespace-normal sm:min-w-64"
        busy={start.status === 'running'}
        onClick={() => void press()}
      >
        <span dir="auto">Continue with {name}</span>
      </Button>
      <p role="alert" className="text-sm font-medium text-bad empty:hidden">
        {isUnwritten
          ? 'Your text could not be kept on this device. Sign in by your passcode, which does not leave the page.'
          : start.error && sentenceOf(start.error, 'That did not work. Check the connection and try again.')}
      </p>
    </>
  )
}
