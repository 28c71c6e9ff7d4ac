import { useQueryClient } from '@tanstack/react-query'
import {
  type deleteFeedRoom,
  type deleteRoom,
  listFeedRooms,
  listFinishedRooms,
  listOpenRooms,
  listSlowRooms,
  listRooms,
} from '#contract/rooms/endpoints.ts'
import type { Room } from '#contract/rooms/room.ts'
import { queryKeyOf, useAction } from '#web/lib/api.ts'
import { removeFromPages } from '#web/lib/pages.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { useAlert, useConfirm } from '#web/ui/alerts.tsx'

/** For admins: asks, deletes the room by one of its two calls, shows the result, and returns whether the room is deleted. */
export function useRoomDeletion(endpoint: typeof deleteRoom | typeof deleteFeedRoom) {
  const client = useQueryClient()
  const confirm = useConfirm()
  const alert = useAlert()
  const deletion = useAction(endpoint, { failure: 'Failed to delete the room' })

  return async ({ id, name }: Pick<Room, 'id' | 'name'>): Promise<boolean> => {
    const isSure = await confirm({
      text: `Are you sure you want to delete the Z!mmer "${name}"? This action cannot be undone.`,
      verb: 'Delete',
      danger: true,
    })
    if (!isSure) return false
    const deleted = await deletion.attempt({ params: { id } }, () => alert('Failed to delete Z!mmer'))
    if (!deleted) return false
    for (const list of [listRooms, listOpenRooms, listSlowRooms, listFinishedRooms])
      removeFromPages(client, list, id)
    void readAgain(client, { queryKey: queryKeyOf(listFeedRooms) })
    await alert('Z!mmer deleted successfully')
    return true
  }
}
