import type { InputOf } from '#contract/endpoint.ts'
import { listFeedRooms, listOpenRooms, listRooms } from '#contract/rooms/endpoints.ts'
import type { Room } from '#contract/rooms/room.ts'
import { hostTable } from '#contract/rooms/table/endpoints.ts'
import { sentenceOf, useAction } from '#web/lib/api.ts'
import { useConfirm } from '#web/ui/alerts.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useRoomCache } from '../room/api.ts'

/** What the creator of a table can do. The page asks for a confirmation first, except before it reopens the table. */
export function useHost({ id, name, isPublic }: Room) {
  const { attempt } = useAction(hostTable, {
    refreshes: [listRooms, listOpenRooms, listFeedRooms],
    failure: 'Failed to change the table',
  })
  const { change } = useRoomCache(id)
  const confirm = useConfirm()
  const toast = useToast()
  const host = async (input: InputOf<typeof hostTable>) => {
    const changed = await attempt({ params: { id }, input }, (failure) => {
      const title = sentenceOf(failure, 'The table could not be changed. Please try again.')
      toast({ title, tone: 'destructive' })
    })
    if (changed) change(changed)
  }
  return {
    close: async () => {
      const text = 'Close the table? Nobody new can join. Everybody at the table goes on writing.'
      if (await confirm({ text, verb: 'Close table' })) await host({ act: 'close' })
    },
    reopen: () => host({ act: 'reopen' }),
    end: async () => {
      const text = `End "${name}" for everybody? The story is finished now, and nobody can write in it any more.`
      if (await confirm({ text, verb: 'End the story', danger: true })) await host({ act: 'end' })
    },
    remove: async (userId: string, person: string) => {
      const reading = isPublic ? 'can still read it, but' : 'can no longer read it, and'
      const text = `Remove ${person} from this table? Passages of ${person} stay in the story. ${person} ${reading} cannot join again.`
      if (await confirm({ text, verb: 'Remove', danger: true })) await host({ act: 'remove', userId })
    },
  }
}
