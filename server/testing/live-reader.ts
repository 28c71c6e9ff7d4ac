import type { FastifyInstance } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type LiveEventName, type LiveEvents, livePath } from '#contract/live/events.ts'
import type { Client } from './test-app.ts'

export interface ReceivedEvent {
  id: string
  name: LiveEventName
  data: unknown
}

interface Options {
  rooms?: string[]
  after?: string
  headers?: Record<string, string>
}

/** Where an app is reached over the network. */
export async function addressOf(app: FastifyInstance): Promise<string> {
  const listening = started.get(app) ?? app.listen({ port: 0, host: '127.0.0.1' })
  started.set(app, listening)
  return listening
}

const started = new WeakMap<FastifyInstance, Promise<string>>()

/** Opens the live stream of an app as a browser does, and waits until it is ready. */
export async function openStream(
  app: FastifyInstance,
  client: Client,
  options: Options = {},
): Promise<LiveReader> {
  const reader = await tryToOpenStream(app, client, options)
  await reader.receives('ready')
  return reader
}

export async function tryToOpenStream(
  app: FastifyInstance,
  client: Client,
  { rooms, after, headers = {} }: Options = {},
): Promise<LiveReader> {
  const query = new URLSearchParams({
    ...(rooms !== undefined && { rooms: rooms.join(',') }),
    ...(after !== undefined && { after }),
  })
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const leaving = new AbortController()
  const answer = await fetch(`${await addressOf(app)}${livePath}?${query.toString()}`, {
    headers: { cookie, ...headers },
    signal: leaving.signal,
  })
  const reader = new LiveReader(answer, leaving)
  onTestFinished(() => reader.leave())
  return reader
}

/** One browser that listens, with all that it has received. */
export class LiveReader {
  readonly received: ReceivedEvent[] = []
  /** All text of the stream. */
  text = ''
  /** Settles when the server has ended the stream. */
  readonly ended: Promise<void>
  readonly status: number
  readonly headers: Headers
  readonly #leaving: AbortController
  #rest = ''

  constructor(answer: Response, leaving: AbortController) {
    this.status = answer.status
    this.headers = answer.headers
    this.#leaving = leaving
    this.ended = this.#read(answer).catch(() => {})
  }

  get lastId(): string {
    return this.received.at(-1)?.id ?? ''
  }

  leave(): void {
    this.#leaving.abort()
  }

  all<Name extends LiveEventName>(name: Name): LiveEvents[Name][] {
    return this.received.filter((each) => each.name === name).map(({ data }) => data as LiveEvents[Name])
  }

  /** Waits for an event, which may have come already. */
  async receives<Name extends LiveEventName>(
    name: Name,
    isIt: (data: LiveEvents[Name]) => boolean = () => true,
  ): Promise<LiveEvents[Name]> {
    return until(() => this.all(name).find(isIt), `the event ${name}`)
  }

  async #read(answer: Response) {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body!) {
      const text = decoder.decode(chunk, { stream: true })
      this.text += text
      const blocks = (this.#rest + text).split('\n\n')
      this.#rest = blocks.pop()!
      for (const block of blocks) this.#take(block)
    }
  }

  #take(block: string) {
    const fields = new Map(
      block.split('\n').map((line) => [/^\w*/.exec(line)![0], line.replace(/^\w*: ?/, '')]),
    )
    const [id, name, data] = ['id', 'event', 'data'].map((field) => fields.get(field))
    if (name === undefined) return
    this.received.push({ id: id!, name: name as LiveEventName, data: JSON.parse(data!) as unknown })
  }
}

/** Waits until there is something; what does not come about within 10 s never will. */
export async function until<T>(find: () => T | undefined | Promise<T | undefined>, what = 'it'): Promise<T> {
  for (const deadline = Date.now() + 10_000; ; await delay(10)) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`${what} did not come about within 10 s.`)
  }
}
