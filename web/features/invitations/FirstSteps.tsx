import { Link } from 'wouter'
import { conversationPath } from '#contract/messages/paths.ts'
import { newRoomPath, roomPath } from '#contract/rooms/paths.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { pressed } from '#web/ui/pressed.ts'

interface FirstStepsProps {
  id: string
  name: string
  /** The room into which the link led. */
  roomId: string | null
  /** Opens the room of a person who is no member of it yet. */
  onEnter?: () => void
}

export function FirstSteps({ id, name, roomId, onEnter }: FirstStepsProps) {
  return (
    <>
      {roomId !== null && (
        <Link
          href={roomPath(roomId)}
          className={buttonClass('primary')}
          onClick={onEnter && pressed(onEnter)}
        >
          Go to the room
        </Link>
      )}
      <Link href={conversationPath(id)} className={buttonClass(roomId === null ? 'primary' : 'quiet')}>
        Write to <bdi>{name}</bdi>
      </Link>
      {roomId === null && (
        <Link href={newRoomPath(id)} className={buttonClass('quiet')}>
          Open a room together
        </Link>
      )}
    </>
  )
}
