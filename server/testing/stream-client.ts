import type { FastifyInstance } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { onTestFinished } from 'vitest'
import { type LiveEventName, type LiveEvents, livePath } from '#contract/live/events.ts'
import { type Client, nextProcessOf } from './test-app.ts'

export interface ReceivedEvent {
  id: string
  name: LiveEventName
  data: unknown
}

interface Options {
  rooms?: string[]
  inbox?: string
  after?: string
  isAway?: true
  headers?: Record<string, string>
}

/** The address at which an app listens. */
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
): Promise<StreamClient> {
  const stream = await tryToOpenStream(app, client, options)
  await stream.receives('ready')
  return stream
}

export async function tryToOpenStream(
  app: FastifyInstance,
  client: Client,
  { rooms, inbox, after, isAway, headers = {} }: Options = {},
): Promise<StreamClient> {
  const query = new URLSearchParams({
    ...(rooms !== undefined && { rooms: rooms.join(',') }),
    ...(inbox !== undefined && { inbox }),
    ...(after !== undefined && { after }),
    ...(isAway && { isAway: 'true' }),
  })
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const closing = new AbortController()
  const answer = await fetch(`${await addressOf(nextProcessOf(app))}${livePath}?${query.toString()}`, {
    headers: { cookie, ...headers },
    signal: closing.signal,
  })
  const stream = new StreamClient(answer, closing)
  onTestFinished(() => stream.close())
  return stream
}

/** A client of the live stream, with all events that it has received. */
export class StreamClient {
  readonly received: ReceivedEvent[] = []
  /** All text of the stream. */
  text = ''
  /** Settles when the server has ended the stream. */
  readonly ended: Promise<void>
  readonly status: number
  readonly headers: Headers
  readonly #closing: AbortController

  constructor(answer: Response, closing: AbortController) {
    this.status = answer.status
    this.headers = answer.headers
    this.#closing = closing
    this.ended = this.#read(answer).catch(() => {})
  }

  get lastId(): string {
    return this.received.at(-1)?.id ?? ''
  }

  close(): void {
    this.#closing.abort()
  }

  all<Name extends LiveEventName>(name: Name): LiveEvents[Name][] {
    return this.received.filter((each) => each.name === name).map(({ data }) => data as LiveEvents[Name])
  }

  /** Waits for an event, which may have arrived before. */
  async receives<Name extends LiveEventName>(
    name: Name,
    matches: (data: LiveEvents[Name]) => boolean = () => true,
  ): Promise<LiveEvents[Name]> {
    return until(() => this.all(name).find(matches), `the event ${name}`)
  }

  async #read(answer: Response) {
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        if (event === undefined) return
        this.received.push({ id: id!, name: event as LiveEventName, data: JSON.parse(data) as unknown })
      },
    })
    const decoder = new TextDecoder()
    for await (const chunk of answer.body!) {
      const text = decoder.decode(chunk, { stream: true })
      this.text += text
      parser.feed(text)
    }
  }
}

/** On a machine with much other work, an answer may take seconds. It is less than the limit of a test. */
const patienceMs = 25_000

/** Polls until `find` returns a value. Fails when that takes too long. */
export async function until<T>(
  find: () => T | undefined | Promise<T | undefined>,
  what = 'the awaited value',
): Promise<T> {
  for (const deadline = Date.now() + patienceMs; ; await delay(10)) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`Waited ${patienceMs / 1000} s for ${what}.`)
  }
}
