import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { login, logout, register } from '#contract/account/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { createRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { HttpClient } from '../../scripts/testing/http-client.ts'
import { ReturningReader } from '../../scripts/testing/returning-reader.ts'
import { oneOf, randomFrom } from '../random.ts'
import { callOnce, newKey, retry, untilAcknowledged } from '../retry.ts'
import { until } from '../room-story.ts'
import type { HistoryEvent, History, Passage } from './history.ts'

/** The addresses of the two servers. */
export type Origins = (() => string)[]

const writers = ['ana', 'ben', 'cem', 'dan', 'eve'] as const
/** The most passages of one person during the disturbances. Five people stay under the 500 passages of one list. */
const passagesBefore = 80
const passagesAfter = 5
/** The probability that a person gives up a passage whose answer did not come, instead of repeating it. */
const giveUpProbability = 0.3
/** The probability that a person reads the list after a passage. */
const listProbability = 0.15

interface Person {
  id: string
  clients: HttpClient[]
}

export interface Participants {
  writers: Record<(typeof writers)[number], Person>
  /** A person whom nobody invited and whom the creator of the room has blocked. */
  stranger: Person
}

const credentialsOf = (name: string) => ({ email: `${name}@example.org`, password: 'secret pass 1' })

/** Five friends, and a stranger whom Ana has blocked. Each has one session, with a client for each server. */
export async function registerParticipants(origins: Origins): Promise<Participants> {
  const join = async (name: string): Promise<Person> => {
    const client = new HttpClient(origins[0]!)
    const { id } = await client.does<typeof register>(register, {
      input: { ...credentialsOf(name), firstName: name },
    })
    return { id, clients: [client, ...origins.slice(1).map((origin) => new HttpClient(origin, client))] }
  }
  const entries: [string, Person][] = []
  for (const name of writers) entries.push([name, await join(name)])
  const people = Object.fromEntries(entries) as Participants['writers']
  const [ana] = people.ana.clients
  for (const name of writers.slice(1))
    await ana!.does(addFriend, { input: { friendUserId: people[name].id } })
  const stranger = await join('stranger')
  await ana!.does(blockPerson, { input: { userId: stranger.id } })
  return { writers: people, stranger }
}

/**
 * Five people write in a new private room and read it, each through both servers, while `disturb` kills or pauses servers
 * and drops connections. Cem, Dan and Eve lose their right to read. Returns what everybody sent and received.
 */
export async function runHistory({
  seed,
  participants,
  origins,
  db,
  disturb,
}: {
  seed: number
  participants: Participants
  origins: Origins
  db: Client
  /** Ends after all disturbances. */
  disturb: () => Promise<void>
}): Promise<History> {
  const random = randomFrom(seed)
  const events: HistoryEvent[] = []
  let lastOp = 0
  const friends = writers.slice(1).map((name) => participants.writers[name].id)
  const room = await participants.writers.ana.clients[0]!.does(createRoom, {
    input: {
      name: `Room ${seed}`,
      description: 'A story',
      isPublic: false,
      duration: 120,
      invitedFriends: friends,
    },
  })
  const params = { id: room.id }
  const secondBrowsers = {
    'second browser of cem': await signIn('cem'),
    'second browser of eve': await signIn('eve'),
  }

  const readers: History['readers'] = { stranger: 'none', visitor: 'none' }
  for (const reader of [...writers, ...Object.keys(secondBrowsers)]) readers[reader] = 'member'
  const clientOf: Record<string, HttpClient> = {
    ...secondBrowsers,
    stranger: participants.stranger.clients[0]!,
    ...Object.fromEntries(writers.map((name) => [name, participants.writers[name].clients[0]!])),
  }
  const ready = new Set<string>()
  const received = new Map<string, number>()
  const streams = Object.keys(readers).map((reader) => {
    const cookie = clientOf[reader]?.cookie
    return new ReturningReader({
      origin: () => oneOf(random, origins)(),
      ...(cookie !== undefined && { cookie }),
      rooms: [room.id],
      comeBackMs: 50,
      onEvent: (name, data) => {
        if (name === 'ready') ready.add(reader)
        if (name === 'reset') events.push({ kind: 'reset', reader })
        if (name !== 'room.message') return
        received.set(reader, (received.get(reader) ?? 0) + 1)
        events.push({ kind: 'received', reader, passage: asPassage(data as RoomPassage) })
      },
    })
  })
  await until(() => ready.size === streams.length)

  let isOver = false
  await Promise.all([
    ...writers.map(write),
    readRepeatedly('stranger', () => oneOf(random, participants.stranger.clients)),
    readRepeatedly('second browser of cem', () => secondBrowsers['second browser of cem']),
    readRepeatedly('visitor', () => new HttpClient(() => oneOf(random, origins)())),
    disturbAndTakeRights().finally(() => {
      isOver = true
    }),
  ])
  const stored = await readStory()
  const keepsReading = writers.filter((name) => name !== 'dan')
  await until(() => keepsReading.every((reader) => (received.get(reader) ?? 0) >= stored.length))
  for (const stream of streams) stream.close()
  // A person may have 20 open rooms.
  await db.query('update rooms set expires_at = now() where id = $1', [room.id])
  return { seed, readers, events, stored }

  async function signIn(name: string) {
    const client = new HttpClient(origins[1]!)
    await client.does<typeof login>(login, { input: credentialsOf(name) })
    return client
  }

  /** Writes passages until the disturbances are over, and then a few more. */
  async function write(name: (typeof writers)[number]) {
    const client = () => oneOf(random, participants.writers[name].clients)
    let left = passagesAfter
    for (let number = 1; left > 0; number++) {
      if (isOver) left--
      if (!isOver && number > passagesBefore) {
        await delay(20)
        continue
      }
      await send(name, client, `${name} ${number}`)
      if (random() < listProbability) await read(name, client)
      await delay(random() * 50)
    }
  }

  async function send(name: string, client: () => HttpClient, text: string) {
    const op = ++lastOp
    events.push({ kind: 'send', op, client: name, text })
    const headers = newKey()
    const answer = await retry(
      () => client().tries(sendPassage, { params, input: { content: text }, headers }),
      () => random() < giveUpProbability,
    )
    if (answer === undefined) return
    if (answer.status < 400) {
      const { id, position } = JSON.parse(answer.text) as RoomPassage
      events.push({ kind: 'acknowledged', op, position, id })
    } else if (answer.isFirst) events.push({ kind: 'refused', op })
  }

  async function read(reader: string, client: () => HttpClient) {
    const op = ++lastOp
    events.push({ kind: 'read', op, reader })
    const answer = await callOnce(() => client().tries(listPassages, { params }))
    if (answer === undefined) return
    if (answer.status >= 400) events.push({ kind: 'denied', op })
    else
      events.push({ kind: 'found', op, passages: (JSON.parse(answer.text) as RoomPassage[]).map(asPassage) })
  }

  async function readRepeatedly(reader: string, client: () => HttpClient) {
    for (; !isOver; await delay(100 + random() * 300)) await read(reader, client)
  }

  /**
   * Cem signs out while servers are disturbed. Dan and Eve lose their right after that, so that nothing else can end their
   * streams.
   */
  async function disturbAndTakeRights() {
    const disturbing = disturb()
    await delay(random() * 1500)
    await signOut('second browser of cem')
    await disturbing
    const known = (await readStory()).length
    await until(() =>
      ['dan', 'second browser of eve'].every((reader) => (received.get(reader) ?? 0) >= known),
    )
    await Promise.all([removeDan(), signOut('second browser of eve')])
  }

  async function removeDan() {
    const values = [room.id, participants.writers.dan.id]
    await db.query('delete from room_members where room_id = $1 and user_id = $2', values)
    events.push({ kind: 'lost rights', reader: 'dan' })
  }

  async function signOut(reader: keyof typeof secondBrowsers) {
    // A copy, because a client that logs out drops the cookie, and the reader goes on with it.
    const sameSession = new HttpClient(() => oneOf(random, origins)(), secondBrowsers[reader])
    await untilAcknowledged(() => sameSession.tries(logout))
    events.push({ kind: 'lost rights', reader })
  }

  async function readStory(): Promise<Passage[]> {
    const { rows } = await db.query<Passage>(
      'select position, id, content as text from room_messages where room_id = $1 order by position',
      [room.id],
    )
    return rows
  }
}

const asPassage = ({ position, id, content }: RoomPassage): Passage => ({ position, id, text: content })
