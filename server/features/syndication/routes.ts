import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type FeedFormat,
  feedFormats,
  type FeedOf,
  feedPath,
  feedTypes,
} from '#contract/syndication/paths.ts'
import { PersonId } from '#contract/schemas.ts'
import { sendPrepared } from '#server/platform/http/endpoints/mount.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { clientAddress } from '#server/platform/http/request/origin.ts'
import { cursorIn, readTimeCursor } from '#server/platform/http/answers/paging.ts'
import { sameForAll } from '#server/platform/http/endpoints/policy.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import type { Server } from '#server/platform/http/server.ts'
import type { FeedAnswer, Feeds } from './feeds.ts'

// A page that is not kept takes up to 0.1 s of the main thread, in short turns.
const olderReads: LimitRule = { name: 'older pages of feeds', count: 60, seconds: 60, by: 'address' }

const before = {
  name: 'before',
  in: 'query',
  description: 'The cursor in the link to the older page.',
  schema: { type: 'string' },
}
const person = { name: 'id', in: 'path', required: true, schema: { $ref: '#/components/schemas/PersonId' } }
const titles = { atom: 'Atom', rss: 'RSS', json: 'JSON Feed' }

/** The route of a feed, as the API describes it. */
const routeOf = (format: FeedFormat, name: string, lists: string, parameters: object[] = []) => ({
  policy: sameForAll,
  hasETag: true as const,
  described: {
    operationId: `get${name}${format[0]!.toUpperCase()}${format.slice(1)}`,
    tag: 'syndication',
    summary: `Lists ${lists} as ${titles[format]}.`,
    parameters: [...parameters, before],
    type: feedTypes[format],
  },
})
const feedsForAll = [
  ['posts', 'Feed', 'all published posts'],
  ['stories', 'StoriesFeed', 'the finished public stories'],
] as const

export function addFeeds({ app, take }: Server, feeds: Feeds) {
  for (const format of feedFormats) {
    for (const [kind, name, lists] of feedsForAll) {
      const config = { ...routeOf(format, name, lists), answersFromMemory: true as const }
      app.get(feedPath({ kind }, format), { config }, (request, reply) =>
        send(request, reply, { kind }, format),
      )
    }
    const own = routeOf(format, 'PersonFeed', 'the posts of a person', [person])
    app.get(feedPath({ kind: 'person', id: ':id' }, format), { config: own }, (request, reply) => {
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
