import { useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { signatureOf } from '../signature.ts'
import { SigningDialog, useSigning } from './use-signing.ts'

interface SigningProps {
  roomId: string
  user: User
  signsWithName: boolean
}

/** How a member signs in the room, with a button that changes it. */
export function Signing({ roomId, user, signsWithName }: SigningProps) {
  const [isChoosing, setChoosing] = useState(false)
  const change = useSigning(roomId)
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
          onChoose={(withName) => {
            setChoosing(false)
            void change(withName)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </span>
  )
}
