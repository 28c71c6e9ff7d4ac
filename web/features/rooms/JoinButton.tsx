import { useState } from 'react'
import type { Room } from '#contract/rooms/room.ts'
import { openSignIn, useSession } from '#web/features/account/index.ts'
import { RequestError } from '#web/lib/request.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { useJoinRoom } from './api.ts'

const SigningDialog = part(async () => (await import('./SigningDialog.tsx')).SigningDialog, failedDialog)

/** For a person who may read a room and wants to write in it. A person without an account is asked to sign up. */
export function JoinButton({ room, onJoin }: { room: Room; onJoin: () => void }) {
  const { state, user } = useSession()
  const { attempt, status, error } = useJoinRoom()
  const [isChoosing, setChoosing] = useState(false)
  const alert = useAlert()

  const join = async (signsWithName: boolean) => {
    setChoosing(false)
    onJoin()
    await attempt(
      { params: { id: room.id }, input: { signsWithName } },
      (failure) =>
        failure instanceof RequestError &&
        alert(
          (failure.code === 'RoomClosed' && failure.error) ||
            'This is a private room. You cannot join without an invitation.',
        ),
    )
  }
  const choose = () => (state === 'registered' ? setChoosing(true) : openSignIn())
  return (
    <>
      <Button
        aria-label={`Join ${room.name}`}
        disabled={!room.isActive || state === 'unknown'}
        busy={status === 'running'}
        onClick={choose}
      >
        Join
      </Button>
      {status === 'failed' && !(error instanceof RequestError) && (
        <QuietLine text="You could not join." onTryAgain={choose} />
      )}
      {isChoosing && state === 'registered' && (
        <SigningDialog
          user={user}
          title="Join this Z!mmer"
          verb="Join"
          onChoose={(signsWithName) => void join(signsWithName)}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}
