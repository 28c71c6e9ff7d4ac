import type { Room } from '#contract/rooms/room.ts'
import { asidesKeptMs } from '#contract/rooms/table/asides.ts'
import { failedLine, part } from '#web/ui/part.tsx'
import { hasTurns } from '../TurnLabels.tsx'

export const TalkPart = part(async () => (await import('./Talk.tsx')).Talk, failedLine)

/** Whether people at the table of a finished room may still read what was said beside its story. */
export const mayHaveTalk = (room: Room) =>
  hasTurns(room) && room.isMember && Date.now() < Date.parse(room.expiresAt) + asidesKeptMs
