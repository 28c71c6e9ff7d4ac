import { useState } from 'react'
import { createPasswordReset, type NewPasswordReset } from '#contract/password-resets/endpoints.ts'
import { resetLink } from '#contract/password-resets/path.ts'
import { SignInAgainDialog } from '#web/features/account/index.ts'
import { codeOf, sentenceOf, useAction } from '#web/lib/api.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyLink } from '#web/ui/CopyLink.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

interface ResetLinkDialogProps {
  userId: string
  name: string
  onClose: () => void
}

/** Makes a link by which a person sets a new passcode. The link is shown once: only its digest is stored. */
export function ResetLinkDialog({ userId, name, onClose }: ResetLinkDialogProps) {
  // Not retried: each attempt makes another link.
  const creating = useAction(createPasswordReset, { retries: false, failure: 'Failed to make a reset link' })
  const [made, setMade] = useState<NewPasswordReset | null>(null)
  const [asksPasscode, setAsksPasscode] = useState(false)
  const isOld = codeOf(creating.error) === 'SignInAgainToResetPassword'

  const create = async () => {
    const reset = await creating.attempt({ params: { id: userId } }, (error) =>
      setAsksPasscode(codeOf(error) === 'SignInAgainToResetPassword'),
    )
    if (reset) setMade(reset)
  }
  return (
    <Dialog
      title={
        <>
          Reset the passcode of <bdi>{name}</bdi>
        </>
      }
      size="field"
      staysOpen={made !== null}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm text-ink-soft">
          Give the link to <bdi>{name}</bdi> in person or over a way you trust. Whoever opens it sets a new
          passcode, once and within 30 minutes, and all sessions end. <bdi>{name}</bdi> is notified, and the
          audit log names you.
        </p>
        {made === null ? (
          <Button className="self-start" busy={creating.status === 'running'} onClick={() => void create()}>
            Make a link
          </Button>
        ) : (
          <div className="flex flex-col gap-2 rounded-lg border border-line bg-sunk p-3">
            <CopyLink label="Reset link" link={resetLink(location.origin, made.token)} />
            <p className="text-sm">Good until {timeOfDay(made.expiresAt)}</p>
          </div>
        )}
        <p role="alert" className="text-sm font-medium text-bad empty:hidden">
          {creating.error && !isOld && sentenceOf(creating.error, failed)}
        </p>
      </div>
      {asksPasscode && (
        <SignInAgainDialog onSignedIn={() => void create()} onClose={() => setAsksPasscode(false)} />
      )}
    </Dialog>
  )
}

const failed = 'The link could not be made. Check the connection and try again.'
