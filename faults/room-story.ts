import { setTimeout as delay } from 'node:timers/promises'
import { register } from '#contract/account/endpoints.ts'
import { createRoom, joinRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { ReturningReader } from '../scripts/testing/returning-reader.ts'
import { byText } from './instance.ts'
import { insist } from './writers.ts'

interface Story {
  writers: HttpClient[]
  /** How many passages each writes; else they write until it is enough. */
  passagesEach?: number
  pauseMs?: number
  /** Where each reader listens. */
  readAt: (() => string)[]
  /** How soon readers come back; else as the server asks. */
  comeBackMs?: number
}

/** A room in which all write at once, each passage again with the same key until it is acknowledged. */
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
      const { id } = await insist<RoomPassage>((headers) =>
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
  // Who was refused says so in `finish`.
  work.catch(() => {})

  return {
    readers,
    get isOver() {
      return isOver
    },
    /** Waits until so many more passages are acknowledged. */
    untilMore: async (passages: number) => {
      const goal = acknowledged.length + passages
      await until(() => isOver || acknowledged.length >= goal)
    },
    enough: () => {
      isEnough = true
    },
    /** Waits for all writers, then until every reader was told of everything. */
    finish: async () => {
      await work
      const story = await readStory(ana, room.id)
      await until(() => readers.every((reader) => reader.told.length >= story.length))
      for (const reader of readers) reader.close()
      return {
        positions: story.map(({ position }) => position),
        inOrder: acknowledged.map((_, index) => index + 1),
        stored: story.map(({ content, id }): [string, string] => [content, id]).toSorted(byText),
        acknowledged: acknowledged.toSorted(byText),
        story,
        /** The passages that each reader was told of. */
        told: readers.map((reader) => reader.told),
      }
    },
  }
}

function startReader(listening: Omit<ConstructorParameters<typeof ReturningReader>[0], 'onEvent'>) {
  const told: RoomPassage[] = []
  let isReady = false
  const live = new ReturningReader({
    ...listening,
    onEvent: (name, data) => {
      if (name === 'reset') throw new Error('A reader was too far behind to go on.')
      if (name === 'ready') isReady = true
      if (name === 'room.message') told.push(data as RoomPassage)
    },
  })
  return {
    told,
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

/** Waits for something; who asked sees whether it came. */
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
