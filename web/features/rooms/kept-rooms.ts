import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { getRoom } from '#contract/rooms/endpoints.ts'
import { isPublicStory } from '#contract/rooms/paths.ts'
import type { Room } from '#contract/rooms/room.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { embeddedStory } from './room/embedded-story.ts'

/** What a device keeps: the rooms that the person is in, and finished stories that were opened. */
export const keptRoom = (room: Room): Room | undefined =>
  room.isMember || isPublicStory(room) ? room : undefined

/** What belongs to a room is kept with the room: its passages, its members, the signature of the person. */
export function keptOfRoom(answer: unknown, [path, part]: QueryKey, client: QueryClient): unknown {
  const id = String(path).split('/')[3]!
  const room = client.getQueryData<Room>(queryKeyOf(getRoom, { params: { id } }))
  return part !== embeddedStory && room && keptRoom(room) ? answer : undefined
}
