import { setTimeout as wait } from 'node:timers/promises'
import { sendMessage } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { ReturningReader } from '../scripts/testing/returning-reader.ts'
import { connectionOf, inMegabytes, loadFromOtherCore, withInstance } from './instance.ts'
import { addFriendships, addPeople, type Person, withDatabase } from './rows.ts'
import { atMost, fact, printTable, quantile } from './table.ts'
import { compareWithBareRows } from './writers.ts'

const senders = 32
const pairCount = 100
/** Each of two friends sends a message a second. */
const pauseMs = 1000
const messagesEach = 30
/** The first messages of each person, which are not measured: the server and the client are still compiling. */
const warmUpEach = 5
const content = 'A letter that goes on for a while. '.repeat(6)

await withInstance(async ({ url, dataDir, memory }) => {
  const { pairs, friendships } = await withDatabase(dataDir, async (db) => {
    const people = await addPeople(db, 2 * senders)
    const all = Array.from({ length: senders }, (_, n) => [people[2 * n]!, people[2 * n + 1]!] as const)
    return { pairs: all, friendships: await addFriendships(db, all) }
  })
  const figures = await compareWithBareRows({
    url,
    writers: pairs.map(([sender, receiver]) => ({
      path: sendMessage.path,
      cookie: sender.cookie,
      body: JSON.stringify({ messageType: 'text', receiverId: receiver.id, content }),
    })),
    bare: {
      connection: await connectionOf(dataDir),
      insert: `insert into direct_messages (friendship_id, sender_id, position, id, content, created_at)
        values ($1, $2, $3, $4, convert_to($5, 'UTF8'), app_now())`,
      writers: pairs.map(([{ id }], n) => [friendships[n]!, id]),
      content,
    },
    ratio: 0.35,
    unit: 'messages',
  })
  printTable(`${senders} people write to a friend each at once, each message on disk before its answer`, [
    ...figures,
    fact('memory of the server afterwards', inMegabytes(memory())),
  ])
})

loadFromOtherCore()
await withInstance(async ({ url, dataDir, memory }) => {
  const pairs = await withDatabase(dataDir, async (db) => {
    const people = await addPeople(db, 2 * pairCount)
    const all = Array.from({ length: pairCount }, (_, n) => [people[2 * n]!, people[2 * n + 1]!] as const)
    await addFriendships(db, all)
    return all
  })
  /** The planned moment of each message, by its content, and how long after it the message reached the friend. */
  const plannedAt = new Map<string, number>()
  const took: number[] = []
  let arrivals = 0
  const readers = await Promise.all(
    pairs.flat().map(async (person) => {
      const ready = Promise.withResolvers<void>()
      const reader = new ReturningReader({
        origin: () => url,
        cookie: person.cookie,
        inbox: person.id,
        onEvent: (name, data) => {
          if (name === 'ready') ready.resolve()
          if (name !== 'message') return
          const message = data as DirectMessage
          if (message.receiver_id !== person.id) return
          arrivals++
          const from = plannedAt.get(message.content)
          if (from !== undefined) took.push(performance.now() - from)
        },
      })
      await ready.promise
      return reader
    }),
  )
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  const directions = pairs.flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]) as [Person, Person][]
  const sends: Promise<void>[] = []
  await Promise.all(
    directions.map(async ([sender, receiver], n) => {
      for (let message = 0; message < messagesEach; message++) {
        // Everybody sends at fixed moments, however long the answers take. A late send counts from its moment.
        const moment = start + (pauseMs / directions.length) * n + pauseMs * message
        await wait(Math.max(0, moment - performance.now()))
        const text = `${n} writes message ${message}. ${content}`
        if (message >= warmUpEach) plannedAt.set(text, moment)
        sends.push(writeMessage(url, sender, receiver, text))
      }
    }),
  )
  await Promise.all(sends)
  const seconds = (performance.now() - start) / 1000
  await wait(2000)
  const { user, system } = process.cpuUsage(cpuBefore)
  for (const reader of readers) reader.close()

  const expected = directions.length * messagesEach
  printTable(`${pairCount} pairs of friends, each person writes a message a second`, [
    atMost('from the planned send to the device of the friend: p99', quantile(took, 0.99), 50, 'ms', 1),
    fact('from the planned send to the device of the friend: p50', `${quantile(took, 0.5).toFixed(1)} ms`),
    {
      name: 'arrivals',
      measured: String(arrivals),
      limit: `${expected}`,
      isKept: arrivals === expected,
    },
    fact('messages/s', (expected / seconds).toFixed(0)),
    fact('the client was busy', `${((user + system) / 1e4 / seconds).toFixed(0)} %`),
    fact('memory of the server', inMegabytes(memory())),
  ])
})

async function writeMessage(url: string, sender: Person, receiver: Person, text: string) {
  const answer = await fetch(url + sendMessage.path, {
    method: sendMessage.method,
    headers: { cookie: sender.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ messageType: 'text', receiverId: receiver.id, content: text }),
  })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`A message was answered ${answer.status}: ${said}`)
}
