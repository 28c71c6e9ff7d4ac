import { addDays, dayOf, startOfDay } from '#contract/days.ts'
import { listFeedRooms, roomsMax } from '#contract/rooms/endpoints.ts'
import type { Config } from '#server/config.ts'
import { handle, type Route } from '#server/platform/http/handle.ts'
import { pageOf, readTimeCursor, timeCursorOf } from '#server/platform/http/paging.ts'
import { everyone } from '#server/platform/http/policy.ts'
import { listRoomsOfDay } from './queries.ts'

export function roomRoutes({ config }: { config: Config }): Route[] {
  return [
    handle(listFeedRooms, everyone, { cacheControl: 'private, no-cache' }, async (call) => {
      const { db, viewer, query, now } = call
      const today = dayOf(now, config.timeZone)
      const start = startOfDay(today, config.timeZone)
      const end = startOfDay(addDays(today, 1), config.timeZone)
      const limit = query.limit ?? roomsMax
      const before = readTimeCursor(query.before)
      const readerId = viewer.kind === 'visitor' ? null : viewer.id
      const found = await listRoomsOfDay(db, readerId, { start, end, limit: limit + 1, before })
      return pageOf(call, found, limit, timeCursorOf)
    }),
  ]
}
