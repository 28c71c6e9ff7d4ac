import * as z from 'zod/mini'
import { livePath } from '#contract/live/events.ts'
import { apiTokenOf } from './platform/http/request/api-token.ts'
import { isOwnRequest } from './platform/http/request/origin.ts'
import { everyone, requireScope, withScope } from './platform/http/endpoints/policy.ts'
import { Refused } from './platform/http/refusal.ts'
import type { DescribedRoute, Platform } from './platform/http/platform.ts'
import type { Server } from './platform/http/server.ts'
import type { Streams } from './platform/live/streams.ts'
import type { TopicSource } from './platform/live/topic-source.ts'
import type { Topics } from './platform/live/topics.ts'

interface Deps {
  platform: Platform
  streams: Streams
  topics: Topics
}

/** `GET /api/live`: the stream of the events of topics (R8). Each kind of topics has a parameter that lists ids. */
export function addLive({ app }: Server, { platform, streams, topics }: Deps) {
  const Query = z.object({
    after: z.optional(z.string()),
    isAway: z.optional(z.literal('true')),
    ...Object.fromEntries(topics.sources.map((source) => [source.kind.name, idsOf(source)])),
  })
  const options = {
    schema: { querystring: Query },
    config: {
      policy: withScope('rooms', everyone),
      isStream: true as const,
      described: describe(topics.sources),
    },
  }
  app.get(livePath, options, async (request, reply) => {
    if (apiTokenOf(request) === undefined && !isOwnRequest(request, platform.config.publicOrigin))
      throw new Refused('ForeignRequest')
    if (request.method === 'HEAD') return reply.type('text/event-stream').send('')
    const { after, isAway, ...requested } = request.query as {
      after?: string
      isAway?: 'true'
    } & Record<string, string[]>
    for (const { kind, scope } of topics.sources)
      if (requested[kind.name] !== undefined) {
        if (scope === undefined && apiTokenOf(request) !== undefined)
          throw new Refused('TokenNotAllowed', { error: `A token cannot open a stream with "${kind.name}".` })
        requireScope(request.viewer, scope)
      }
    await streams.reserve(request, reply)
    // A browser that reconnects by itself sends its newest cursor in the header. Its address is still the first one.
    const cursors = request.headers['last-event-id']?.toString() || after
    const found = await topics.find(request.viewer, requested, cursors)
    const stream = streams.open(request, reply, { isAway: isAway !== undefined })
    if (stream.isOpen) await topics.subscribe(stream, found)
    return reply
  })
}

const cursor = (name: string, place: string) => ({
  name,
  in: place,
  description: 'The `id` of the last event that the client has received: the stream resumes after it.',
  schema: { type: 'string' },
})

const describe = (sources: readonly TopicSource[]): DescribedRoute => ({
  operationId: 'openStream',
  tag: 'live',
  summary: 'Opens the stream of the events of rooms and of the own inbox.',
  description: 'Server-sent events. The `data` of each event is JSON.',
  parameters: [
    ...sources.map(({ kind }) => ({
      name: kind.name,
      in: 'query',
      description: `At most ${kind.max} ids, separated by commas.`,
      schema: { type: 'string' },
    })),
    {
      name: 'isAway',
      in: 'query',
      description: 'The person does not look: what the stream is sent does not count as told.',
      schema: { type: 'string', enum: ['true'] },
    },
    cursor('after', 'query'),
    cursor('Last-Event-ID', 'header'),
  ],
  type: 'text/event-stream',
})

const list = z.pipe(
  z.string(),
  z.transform((text) => [...new Set(text.split(','))]),
)

const idsOf = ({ kind, Id }: TopicSource) =>
  z.optional(z.pipe(list, z.array(Id).check(z.maxLength(kind.max))))
