import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type FeedFormat,
  feedFormats,
  type FeedOf,
  feedPath,
  feedTypes,
} from '#contract/syndication/paths.ts'
import { PersonId } from '#contract/schemas.ts'
import { sendPrepared } from '#server/platform/http/mount.ts'
import type { LimitRule } from '#server/platform/http/limits.ts'
import { clientAddress } from '#server/platform/http/origin.ts'
import { cursorIn, readTimeCursor } from '#server/platform/http/paging.ts'
import { sameForAll } from '#server/platform/http/policy.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import type { Server } from '#server/platform/http/server.ts'
import type { FeedAnswer, Feeds } from './feeds.ts'

// A page that is not kept takes up to 0.05 s of the main thread.
const olderReads: LimitRule = { name: 'older pages of feeds', count: 60, seconds: 60, by: 'address' }
const route = { schema: { hide: true }, config: { policy: sameForAll } } as const
const fromMemory = { ...route, config: { ...route.config, answersFromMemory: true } } as const

export function addFeeds({ app, take }: Server, feeds: Feeds) {
  for (const format of feedFormats) {
    app.get(feedPath({ kind: 'posts' }, format), fromMemory, (request, reply) =>
      send(request, reply, { kind: 'posts' }, format),
    )
    app.get(feedPath({ kind: 'stories' }, format), fromMemory, (request, reply) =>
      send(request, reply, { kind: 'stories' }, format),
    )
    app.get(feedPath({ kind: 'person', id: ':id' }, format), route, (request, reply) => {
      const { id } = request.params as { id: string }
      if (!PersonId.safeParse(id).success) throw new Refused('NotFound')
      return send(request, reply, { kind: 'person', id }, format)
    })
  }

  async function send(request: FastifyRequest, reply: FastifyReply, of: FeedOf, format: FeedFormat) {
    const before = readTimeCursor(cursorIn(request, 'before'))
    if (before !== undefined) await take(request, [olderReads])
    const owner = clientAddress(request.ip)
    const answer = await feeds.get(of, format, { before, owner })
    reply.header('cache-control', 'public, no-cache')
    reply.header('content-type', `${feedTypes[format]}; charset=utf-8`)
    if (!isModified(request, reply, answer))
      return reply.header('etag', answer.prepared.etag).header('vary', 'accept-encoding').status(304).send()
    return sendPrepared(request, reply, answer.prepared)
  }
}

/** Sets `Last-Modified`, and compares it for callers without a tag. */
function isModified({ headers }: FastifyRequest, reply: FastifyReply, { firstReadAt }: FeedAnswer): boolean {
  if (firstReadAt === undefined) return true
  const second = Math.floor(firstReadAt.getTime() / 1000) * 1000
  reply.header('last-modified', new Date(second).toUTCString())
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return headers['if-none-match'] !== undefined || !(second <= since)
}
