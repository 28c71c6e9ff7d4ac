import { setTimeout as wait } from 'node:timers/promises'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { ReturningReader } from '../scripts/testing/returning-reader.ts'
import { inMegabytes, loadFromOtherCore, withInstance } from './instance.ts'
import { addPeople, addRooms, withDatabase, writePassage } from './rows.ts'
import { atMost, fact, printTable, quantile } from './table.ts'

const rooms = 10
const peopleInRoom = 10
/** Each person sends two passages a second. */
const pauseMs = 500
const passagesEach = 60

loadFromOtherCore()
await withInstance(async ({ url, dataDir, memory }) => {
  const places = await withDatabase(dataDir, async (db) => {
    const all = await addPeople(db, rooms * peopleInRoom)
    const groups = Array.from({ length: rooms }, (_, n) =>
      all.slice(n * peopleInRoom, (n + 1) * peopleInRoom),
    )
    const ids = await addRooms(db, groups)
    return groups.flatMap((people, n) => people.map((person) => ({ person, room: ids[n]! })))
  })
  /** When each passage was sent, by its content, and how long it took to reach each other reader. */
  const sentAt = new Map<string, number>()
  const took: number[] = []
  const answered: number[] = []
  const readers = await Promise.all(
    places.map(async ({ person, room }) => {
      const ready = Promise.withResolvers<void>()
      const reader = new ReturningReader({
        origin: () => url,
        cookie: person.cookie,
        rooms: [room],
        onEvent: (name, data) => {
          if (name === 'ready') ready.resolve()
          if (name !== 'room.message') return
          const { content, userId } = data as RoomPassage
          if (userId !== person.id) took.push(performance.now() - sentAt.get(content)!)
        },
      })
      await ready.promise
      return reader
    }),
  )

  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  await Promise.all(
    places.map(async ({ person, room }, n) => {
      for (let passage = 0; passage < passagesEach; passage++) {
        // Everybody sends at fixed moments, however long the answers take.
        await wait(Math.max(0, start + (pauseMs / places.length) * n + pauseMs * passage - performance.now()))
        const content = `${n} writes passage ${passage}. ${'It goes on for a while. '.repeat(8)}`.trim()
        const from = performance.now()
        sentAt.set(content, from)
        await writePassage(url, person, room, content)
        answered.push(performance.now() - from)
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  await wait(2000)
  const { user, system } = process.cpuUsage(cpuBefore)
  for (const reader of readers) reader.close()

  const expected = places.length * passagesEach * (peopleInRoom - 1)
  printTable(`${rooms} rooms of ${peopleInRoom} people, each writes two passages a second`, [
    atMost('from send to another reader: p99', quantile(took, 0.99), 150, 'ms', 0),
    fact('from send to another reader: p50', `${quantile(took, 0.5).toFixed(1)} ms`),
    fact('from send to its answer: p50', `${quantile(answered, 0.5).toFixed(1)} ms`),
    {
      name: 'arrivals',
      measured: String(took.length),
      limit: `${expected}`,
      isKept: took.length === expected,
    },
    fact('passages/s', (answered.length / seconds).toFixed(0)),
    fact('the client was busy', `${((user + system) / 1e4 / seconds).toFixed(0)} %`),
    fact('memory of the server', inMegabytes(memory())),
  ])
})
