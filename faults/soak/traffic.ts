import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { getMe, register } from '#contract/account/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { listFriends, searchPeople } from '#contract/friends/endpoints.ts'
import { countUnread } from '#contract/messages/endpoints.ts'
import {
  createRoom,
  listFinishedRooms,
  listPassages,
  listRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { HttpClient, type Sent } from '../../scripts/testing/http-client.ts'
import { ReturningReader } from '../../scripts/testing/returning-reader.ts'
import { startMixedChanges } from '../mix/mixed-changes.ts'
import { oneOf, randomFrom } from '../random.ts'
import type { Sample } from './fit.ts'

interface Options {
  url: string
  /** The process of the server. */
  pid: number
  forMs: number
  sampleEveryMs: number
}

const readers = 6
const streams = 20
const pauseMs = 50

/** People make every kind of change, read lists and pages, and keep streams open. Returns times, memory and failures. */
export async function runTraffic({ url, pid, forMs, sampleEveryMs }: Options) {
  const start = performance.now()
  const since = () => performance.now() - start
  const times: Sample[] = []
  const failures: string[] = []

  /** Measures the time of every call, and records failed calls. */
  class MeasuredClient extends HttpClient {
    override async tries<E extends Endpoint>(endpoint: E, sent: Sent<E> = {}): Promise<Response> {
      const at = since()
      try {
        const answer = await super.tries(endpoint, sent)
        if (answer.status >= 500) failures.push(`${endpoint.path}: ${answer.status}`)
        return answer
      } catch (error) {
        failures.push(`${endpoint.path}: ${String(error)}`)
        throw error
      } finally {
        times.push({ at, value: since() - at })
      }
    }
  }
  const client = () => new MeasuredClient(() => url)

  const person = client()
  const input = { email: 'reader@example.org', password: 'secret pass 1', firstName: 'Reader' }
  const { id } = await person.does(register, { input })
  const about = { name: 'Together', description: 'A story', isPublic: true, invitedFriends: [] }
  const room = await person.does(createRoom, { input: { ...about, duration: 120 } })
  const open = [
    new ReturningReader({ origin: () => url, cookie: person.cookie, inbox: id, onEvent: () => {} }),
    ...Array.from(
      { length: streams },
      () => new ReturningReader({ origin: () => url, rooms: [room.id], onEvent: () => {} }),
    ),
  ]
  const changes = await startMixedChanges({ client, seed: 1, pauseMs })
  const memory: Sample[] = []
  const heap: Sample[] = []
  let isOver = false
  const reading = Promise.all(Array.from({ length: readers }, (_, number) => read(number)))
  while (since() < forMs) {
    await delay(Math.min(sampleEveryMs, Math.max(0, forMs - since())))
    memory.push({ at: since(), value: residentBytes(pid) })
    heap.push({ at: since(), value: await heapBytes(url) })
  }
  isOver = true
  await Promise.all([reading, changes.finish()])
  for (const stream of open) stream.close()
  return {
    times,
    memory,
    heap,
    changes: changes.journal.acknowledged,
    failures: [...failures, ...changes.unexpected],
  }

  /** Makes the calls of the pages, some as a visitor and some as a person. */
  async function read(seed: number) {
    const random = randomFrom(seed)
    const visitor = client()
    const calls = [
      () => visitor.tries(getFeedDay, { params: { offset: '0' } }),
      () => visitor.tries(listRooms),
      () => visitor.tries(listFinishedRooms),
      () => person.tries(getMe),
      () => person.tries(sendPassage, { params: { id: room.id }, input: { content: 'And then?' } }),
      () => person.tries(getDiary),
      () => person.tries(listFriends),
      () => person.tries(countUnread),
      () => person.tries(searchPeople, { query: { q: 'ana' } }),
      readRoom,
      () => fetch(url),
    ]
    for (; !isOver; await delay(pauseMs)) {
      const answer = await oneOf(random, calls)().catch(() => undefined)
      await answer?.arrayBuffer()
    }

    async function readRoom() {
      const room = oneOf(random, await visitor.does(listRooms))
      if (room === undefined) return undefined
      return visitor.tries(listPassages, { params: { id: room.id } })
    }
  }
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

async function heapBytes(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`)
  const [, bytes] = /^zimmer_nodejs_heap_size_used_bytes (\S+)$/m.exec(await answer.text()) ?? []
  return Number(bytes)
}
