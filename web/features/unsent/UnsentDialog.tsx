import { useState } from 'react'
import { Link } from 'wouter'
import { SignInAgainDialog } from '#web/features/account/index.ts'
import { isSentLater } from '#web/lib/editor/requested-save.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { Installation } from './installation.ts'
import type { UnsentTexts } from './sender.ts'
import { stateOf } from './words.ts'

interface UnsentDialogProps {
  unsent: UnsentTexts
  installation: Installation
  onSend: () => Promise<void>
  onClose: () => void
}

/** Lists what the person has asked to save and the server does not have yet. */
export function UnsentDialog({ unsent, installation, onSend, onClose }: UnsentDialogProps) {
  const { texts, isSending, isOffline, isSignedOut, pausedUntil } = unsent
  const [openedAt] = useState(() => new Date())
  const [asksPasscode, setAsksPasscode] = useState(false)
  return (
    <Dialog
      title="On this device"
      description={descriptionOf(unsent)}
      onClose={onClose}
      footer={
        <>
          {installation && (
            <Button variant="quiet" onClick={() => void installation()}>
              Install Z!mmer
            </Button>
          )}
          {isSignedOut ? (
            <Button onClick={() => setAsksPasscode(true)}>Sign in again</Button>
          ) : (
            pausedUntil === 0 &&
            texts.some(isSentLater) && (
              <Button busy={isSending} onClick={() => void onSend()}>
                Send now
              </Button>
            )
          )}
        </>
      }
    >
      <ul className="flex flex-col divide-y divide-line">
        {texts.map((text) => (
          <li key={text.place} className="flex flex-col gap-0.5 py-3">
            <Link
              href={text.path}
              onClick={onClose}
              dir="auto"
              className="w-fit max-w-full truncate text-lamp underline underline-offset-4"
            >
              {text.name}
            </Link>
            <p className="text-sm text-ink-soft">{stateOf(text, openedAt)}</p>
          </li>
        ))}
      </ul>
      {isOffline && installation && (
        <p className="pt-3 text-sm text-ink-soft">Installed, Z!mmer also opens without a connection.</p>
      )}
      {asksPasscode && (
        <SignInAgainDialog hasEnded onSignedIn={() => void onSend()} onClose={() => setAsksPasscode(false)} />
      )}
    </Dialog>
  )
}

function descriptionOf({ texts, isOffline, isSignedOut, pausedUntil }: UnsentTexts): string {
  if (texts.length === 0) return 'Everything is sent.'
  if (isSignedOut) return 'You are not signed in any more. Sign in again, and these texts are sent.'
  if (!texts.some(isSentLater)) return 'These texts are not sent by themselves.'
  if (isOffline) return 'You are offline. These texts are sent when the connection is back.'
  if (pausedUntil > 0)
    return `The server asks to wait. These texts are sent by themselves at ${timeOfDay(new Date(pausedUntil))}.`
  return 'These texts are safe on this device, and are sent as soon as the server can be reached.'
}
