import * as z from 'zod/mini'
import { livePath, liveRoomsMax } from '#contract/live/events.ts'
import { Id } from '#contract/schemas.ts'
import type { LiveRooms } from './features/rooms/index.ts'
import { isOwnRequest } from './platform/http/origin.ts'
import { everyone } from './platform/http/policy.ts'
import { Refused } from './platform/http/refusal.ts'
import type { Platform, Server } from './platform/http/server.ts'
import type { Streams } from './platform/live/streams.ts'

const ids = z.pipe(
  z.string(),
  z.transform((text) => [...new Set(text.split(','))]),
)
const Asked = z.object({
  rooms: z.optional(z.pipe(ids, z.array(Id).check(z.maxLength(liveRoomsMax)))),
  after: z.optional(z.string()),
})

interface Deps {
  platform: Platform
  streams: Streams
  rooms: LiveRooms
}

/** `GET /api/live`: the stream of what happens in rooms (R8). */
export function addLive({ app }: Server, { platform, streams, rooms }: Deps) {
  const options = {
    schema: { hide: true, querystring: Asked },
    config: { policy: everyone, isStream: true as const },
  }
  app.get(livePath, options, async (request, reply) => {
    if (!isOwnRequest(request, platform.config.publicOrigin)) throw new Refused('ForeignRequest')
    if (request.method === 'HEAD') return reply.type('text/event-stream').send('')
    streams.reserve(request, reply)
    const { rooms: asked = [], after } = request.query as z.output<typeof Asked>
    // A browser that comes back by itself says in the header how far it is; its address is still the first one.
    const opening = await rooms.find(
      request.viewer,
      asked,
      request.headers['last-event-id']?.toString() || after,
    )
    const stream = streams.open(request, reply, rooms.leave)
    if (stream.isOpen) await rooms.join(stream, opening)
    return reply
  })
}
