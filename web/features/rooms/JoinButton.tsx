import type { Room } from '#contract/rooms/room.ts'
import { openSignIn, useSession } from '#web/features/account/index.ts'
import { RequestError } from '#web/lib/request.ts'
import { useAlert } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { useJoinRoom } from './api.ts'

/** For who may read a room and wants to write in it; those without an account are led to get one. */
export function JoinButton({ room, onPress }: { room: Room; onPress: () => void }) {
  const { state } = useSession()
  const { run, status, error } = useJoinRoom()
  const alert = useAlert()

  const join = async () => {
    if (state === 'none' || state === 'guest') return openSignIn()
    onPress()
    try {
      await run({ params: { id: room.id } })
    } catch (failure) {
      console.error('Failed to join the room', failure)
      if (failure instanceof RequestError) {
        await alert('This is a private room. You cannot join without an invitation.')
      }
    }
  }
  return (
    <>
      <Button
        aria-label={`Join ${room.name}`}
        disabled={!room.isActive}
        busy={status === 'running'}
        onClick={() => void join()}
      >
        Join
      </Button>
      {status === 'failed' && !(error instanceof RequestError) && (
        <QuietLine text="You could not join." onTryAgain={() => void join()} />
      )}
    </>
  )
}
