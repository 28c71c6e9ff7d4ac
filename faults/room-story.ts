import { setTimeout as delay } from 'node:timers/promises'
import { register } from '#contract/account/endpoints.ts'
import { createRoom, joinRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { ReturningReader } from '../scripts/testing/returning-reader.ts'
import { byText } from './instance.ts'
import { untilAcknowledged } from './retry.ts'

interface Story {
  writers: HttpClient[]
  /** How many passages each person writes; by default they write until `enough` is called. */
  passagesEach?: number
  pauseMs?: number
  /** The origin from which each reader reads the stream. */
  readAt: (() => string)[]
  /** The pause before a reader reconnects; by default the one that the server sends. */
  comeBackMs?: number
}

/** Starts a room in which all write at once. Each passage is retried with the same key until it is acknowledged. */
export async function startStory({
  writers,
  passagesEach = Infinity,
  pauseMs = 0,
  readAt,
  comeBackMs,
}: Story) {
  const ana = writers[0]!
  await Promise.all(
    writers.map((writer, number) => {
      const input = { email: `writer${number}@example.org`, password: 'secret1', firstName: 'Ana' }
      return writer.does(register, { input })
    }),
  )
  const about = { name: 'Together', description: 'To the end', isPublic: true, invitedFriends: [] }
  const room = await ana.does(createRoom, { input: { ...about, duration: 120 } })
  const params = { id: room.id }
  await Promise.all(writers.map((writer) => writer.does(joinRoom, { params })))
  const readers = readAt.map((origin, number) => {
    const { cookie } = writers[number]!
    return startReader({ origin, cookie, rooms: [room.id], ...(comeBackMs !== undefined && { comeBackMs }) })
  })
  await Promise.all(readers.map((reader) => until(() => reader.isReady)))

  const acknowledged: [content: string, id: string][] = []
  const write = async (writer: HttpClient, name: string) => {
    for (let number = 1; number <= passagesEach && !isEnough; number++) {
      const content = `${name} wrote passage ${number}.`
      const { id } = await untilAcknowledged<RoomPassage>((headers) =>
        writer.tries(sendPassage, { params, input: { content }, headers }),
      )
      acknowledged.push([content, id])
      await delay(pauseMs)
    }
  }
  let isEnough = false
  let isOver = false
  const work = Promise.all(writers.map((writer, number) => write(writer, `Writer ${number}`))).finally(() => {
    isOver = true
  })
  // A refusal is thrown by `finish`.
  work.catch(() => {})

  return {
    readers,
    get isOver() {
      return isOver
    },
    /** Waits until that many more passages are acknowledged. */
    untilMore: async (passages: number) => {
      const goal = acknowledged.length + passages
      await until(() => isOver || acknowledged.length >= goal)
    },
    enough: () => {
      isEnough = true
    },
    /** Waits for all writers, and then until every reader has received all passages. */
    finish: async () => {
      await work
      const story = await readStory(ana, room.id)
      await until(() => readers.every((reader) => reader.received.length >= story.length))
      for (const reader of readers) reader.close()
      return {
        positions: story.map(({ position }) => position),
        inOrder: acknowledged.map((_, index) => index + 1),
        stored: story.map(({ content, id }): [string, string] => [content, id]).toSorted(byText),
        acknowledged: acknowledged.toSorted(byText),
        story,
        /** The passages that each reader has received. */
        received: readers.map((reader) => reader.received),
      }
    },
  }
}

function startReader(options: Omit<ConstructorParameters<typeof ReturningReader>[0], 'onEvent'>) {
  const received: RoomPassage[] = []
  let isReady = false
  const live = new ReturningReader({
    ...options,
    onEvent: (name, data) => {
      if (name === 'reset') throw new Error('A reader was too far behind to go on.')
      if (name === 'ready') isReady = true
      if (name === 'room.message') received.push(data as RoomPassage)
    },
  })
  return {
    received,
    get isReady() {
      return isReady
    },
    get servedBy() {
      return live.servedBy
    },
    get isOpen() {
      return live.isOpen
    },
    cut: () => live.cut(),
    close: () => live.close(),
  }
}

/** Waits until the condition is true or the time is over. The caller checks which of the two happened. */
export async function until(isTrue: () => boolean, withinMs = 30_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!isTrue() && Date.now() < deadline) await delay(10)
}

async function readStory(reader: HttpClient, roomId: string): Promise<RoomPassage[]> {
  const story: RoomPassage[] = []
  for (let before: string | undefined; ;) {
    const query = before === undefined ? {} : { before }
    const answer = await reader.tries(listPassages, { params: { id: roomId }, query })
    story.unshift(...((await answer.json()) as RoomPassage[]))
    before = answer.headers.get('next-before') ?? undefined
    if (before === undefined) return story
  }
}
