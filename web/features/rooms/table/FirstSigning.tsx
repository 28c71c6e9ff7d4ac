import { useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { SigningDialog, useSigning } from '../room/use-signing.ts'

/**
 * Asks a member who has not joined by the button, such as an invited friend, for the signature when they sit down: a question
 * in the middle of a turn would cost its time. The creator was asked before the table was made.
 */
export function FirstSigning({ roomId, user }: { roomId: string; user: User }) {
  const [isAsking, setAsking] = useState(true)
  const change = useSigning(roomId)
  if (!isAsking) return null
  return (
    <SigningDialog
      user={user}
      title="Your signature"
      verb="Take your seat"
      onChoose={(withName) => {
        setAsking(false)
        void change(withName)
      }}
      onClose={() => setAsking(false)}
    />
  )
}
