import { useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { failedDialog, part } from '#web/ui/part.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { signatureOf } from '../signature.ts'
import { useChangeSigning } from './api.ts'

const SigningDialog = part(async () => (await import('../SigningDialog.tsx')).SigningDialog, failedDialog)

interface SigningProps {
  roomId: string
  user: User
  signsWithName: boolean
}

/** How a member signs in the room, with a button that changes it. */
export function Signing({ roomId, user, signsWithName }: SigningProps) {
  const [isChoosing, setChoosing] = useState(false)
  const { attempt } = useChangeSigning(roomId)
  const toast = useToast()

  const change = async (withName: boolean) => {
    setChoosing(false)
    await attempt({ params: { id: roomId }, input: { signsWithName: withName } }, () =>
      toast({ title: 'Your signature could not be changed. Please try again.', tone: 'destructive' }),
    )
  }
  return (
    <span className="wrap-anywhere">
      You sign as {signatureOf(user, signsWithName)}{' '}
      <button
        type="button"
        aria-label="Change how you sign"
        className="touch text-lamp underline underline-offset-4"
        onClick={() => setChoosing(true)}
      >
        Change
      </button>
      {isChoosing && (
        <SigningDialog
          user={user}
          title="Your signature"
          verb="Save"
          signsWithName={signsWithName}
          onChoose={(withName) => void change(withName)}
          onClose={() => setChoosing(false)}
        />
      )}
    </span>
  )
}
