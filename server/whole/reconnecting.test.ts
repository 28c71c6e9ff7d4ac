import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import {
  addFriend,
  blockPerson,
  listFriends,
  removeFriend,
  unblockPerson,
} from '#contract/friends/endpoints.ts'
import type { LiveEvents } from '#contract/live/events.ts'
import { deleteMessage, listMessages, markRead, sendMessage } from '#contract/messages/endpoints.ts'
import {
  changeRoomMembership,
  createRoom,
  deleteRoom,
  getRoom,
  joinRoom,
  listPassages,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { aRoom } from '../testing/rooms.ts'
import { type ReceivedEvent, type StreamClient, tryToOpenStream, until } from '../testing/stream-client.ts'
import { type Client, startTestApp } from '../testing/test-app.ts'

// `npm run bench -- reconnecting` runs 200 with a random seed.
const numRuns = Number(process.env['HISTORIES'] ?? 8)
const seed = Number(process.env['SEED'] ?? 1)

/** The texts of a room with their signatures, as a reader's page has them. Undefined once the room is deleted. */
type RoomState = { memberCount: number; passages: Record<string, string> } | undefined
/** What a person knows: of each friend the number of unread messages and the ids of all messages. */
interface State {
  rooms: Record<string, RoomState>
  friends: Record<string, number>
  messages: Record<string, string[]>
}

const idOf = ({ id }: { id: string }) => id
const others = (friendId: string, { sender_id, receiver_id }: LiveEvents['message']) =>
  sender_id === friendId || receiver_id === friendId

/** Loads everything, as a newly opened page does. */
async function load(client: Client, roomIds: readonly string[]): Promise<State> {
  const rooms = Object.fromEntries(
    await Promise.all(roomIds.map(async (id) => [id, await loadRoom(client, id)] as const)),
  )
  const friends = await loadFriends(client)
  const messages = Object.fromEntries(
    await Promise.all(
      Object.keys(friends).map(
        async (friendId) =>
          [
            friendId,
            (await client.does(listMessages, { params: { friendId } })).map(idOf).toSorted(),
          ] as const,
      ),
    ),
  )
  return { rooms, friends, messages }
}

async function loadRoom(client: Client, id: string): Promise<RoomState> {
  const room = await client.tries(getRoom, { params: { id } })
  if (room.status === 404) return undefined
  const passages = await client.does(listPassages, { params: { id } })
  return {
    memberCount: (room.body as { memberCount: number }).memberCount,
    passages: Object.fromEntries(passages.map((each) => [each.id, `${each.authorName}: ${each.content}`])),
  }
}

const loadFriends = async (client: Client): Promise<State['friends']> =>
  Object.fromEntries((await client.does(listFriends)).map(({ id, unreadCount }) => [id, unreadCount]))

/** A page of a person that stays open: it loads once, and then follows the stream by the rules of our page. */
class OpenPage {
  readonly client: Client
  state: State = { rooms: {}, friends: {}, messages: {} }
  readonly #app: FastifyInstance
  readonly #roomIds: readonly string[]
  #stream: StreamClient | undefined
  #taken = 0
  #cursor: string | undefined

  constructor(app: FastifyInstance, client: Client, roomIds: readonly string[]) {
    this.client = client
    this.#app = app
    this.#roomIds = roomIds
  }

  /** Opens the stream where it broke, or with a cursor that the server does not know. */
  async connect(isLost = false): Promise<void> {
    if (this.#stream !== undefined) return
    const after = isLost ? 'lost' : this.#cursor
    this.#stream = await tryToOpenStream(this.#app, this.client, {
      rooms: [...this.#roomIds],
      inbox: this.client.me.id,
      ...(after !== undefined && { after }),
    })
    await this.#stream.receives('ready')
    this.#taken = 0
    if (after === undefined) await this.#reload()
    await this.follow()
  }

  /** Breaks the stream at once. Events that the page has not taken are lost for it. */
  drop(): void {
    this.#stream?.close()
    this.#stream = undefined
  }

  /** Loads the page anew, now or when it connects again. */
  async openAnew(): Promise<void> {
    const isOpen = this.#stream !== undefined
    this.drop()
    this.#cursor = undefined
    if (isOpen) await this.connect()
  }

  /** Takes the events that have arrived. */
  async follow(): Promise<void> {
    for (;;) {
      const event = this.#stream?.received[this.#taken]
      if (event === undefined) return
      this.#taken++
      await this.#take(event)
      this.#cursor = event.id || this.#cursor
    }
  }

  async #reload() {
    this.state = await load(this.client, this.#roomIds)
  }

  async #take({ name, data }: ReceivedEvent) {
    const { rooms, friends, messages } = this.state
    const room = rooms[(data as { roomId?: string }).roomId ?? '']
    switch (name) {
      case 'room.message': {
        const { id, authorName, content } = data as LiveEvents['room.message']
        if (room) room.passages[id] = `${authorName}: ${content}`
        return
      }
      case 'room.joined':
        if (room) room.memberCount = (data as LiveEvents['room.joined']).memberCount
        return
      case 'room.signed': {
        const { roomId } = data as LiveEvents['room.signed']
        rooms[roomId] = await loadRoom(this.client, roomId)
        return
      }
      case 'room.deleted':
        rooms[(data as LiveEvents['room.deleted']).roomId] = undefined
        return
      case 'message': {
        const message = data as LiveEvents['message']
        const friendId = Object.keys(messages).find((each) => others(each, message))
        if (friendId !== undefined && !messages[friendId]!.includes(message.id))
          messages[friendId] = [...messages[friendId]!, message.id].toSorted()
        this.state.friends = await loadFriends(this.client)
        return
      }
      case 'message.deleted': {
        const { id, friendUserId } = data as LiveEvents['message.deleted']
        const known = messages[friendUserId]
        if (known) messages[friendUserId] = known.filter((each) => each !== id)
        this.state.friends = await loadFriends(this.client)
        return
      }
      case 'messages.read': {
        const { friendUserId, unreadCount } = data as LiveEvents['messages.read']
        if (friendUserId in friends) friends[friendUserId] = unreadCount
        return
      }
      case 'friend.added': {
        const { id } = data as LiveEvents['friend.added']
        friends[id] ??= 0
        messages[id] ??= []
        return
      }
      case 'friend.removed': {
        const { friendUserId } = data as LiveEvents['friend.removed']
        delete friends[friendUserId]
        delete messages[friendUserId]
        return
      }
      case 'friends.changed':
      case 'reset':
        return this.#reload()
    }
  }
}

const person = fc.nat({ max: 2 })
const place = fc.nat({ max: 1 })
const steps = {
  write: fc.record({ do: fc.constant('write' as const), who: person, room: place }),
  join: fc.record({ do: fc.constant('join' as const), who: person, room: place }),
  sign: fc.record({ do: fc.constant('sign' as const), who: person, room: place, isNamed: fc.boolean() }),
  pair: fc.record({
    do: fc.constantFrom(
      ...([
        'message',
        'message',
        'message',
        'read',
        'read',
        'delete',
        'befriend',
        'part',
        'block',
        'unblock',
      ] as const),
    ),
    who: person,
    /** The next person, or the one after that. */
    next: fc.constantFrom(1, 2),
  }),
  deleteRoom: fc.record({ do: fc.constant('deleteRoom' as const), room: place }),
  stream: fc.record({ do: fc.constantFrom('drop' as const, 'back', 'backLost'), who: person }),
}
const history = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: steps.write },
    { weight: 2, arbitrary: steps.join },
    { weight: 1, arbitrary: steps.sign },
    { weight: 12, arbitrary: steps.pair },
    { weight: 1, arbitrary: steps.deleteRoom },
    { weight: 6, arbitrary: steps.stream },
  ),
  { minLength: 8, maxLength: 40, size: 'max' },
)
type Step = typeof history extends fc.Arbitrary<(infer S)[]> ? S : never

test(
  'after any changes during a break of the stream, a page that reconnects shows the same as a newly opened page [R9]',
  async () => {
    const { app, admin, person: newPerson } = await startTestApp({ config: { limitsRates: false } })
    const boss = await admin()
    const property = fc.asyncProperty(history, async (happens) => {
      const people = [await newPerson(), await newPerson(), await newPerson()]
      const roomIds = [
        await people[0]!.does(createRoom, { input: aRoom() }),
        await people[1]!.does(createRoom, { input: aRoom() }),
      ].map(idOf)
      for (const [one, other] of [
        [0, 1],
        [0, 2],
        [1, 2],
      ] as const)
        await people[one]!.does(addFriend, { input: { friendUserId: people[other]!.me.id } })
      const pages = people.map((each) => new OpenPage(app, each, roomIds))
      for (const page of pages) await page.connect()
      try {
        for (const step of happens) {
          await make(step, { people, roomIds, pages, boss })
          for (const page of pages) await page.follow()
        }
        for (const page of pages) await page.connect()
        for (const page of pages) await expectSame(page, roomIds)
      } finally {
        for (const page of pages) page.drop()
      }
    })
    await expect(fc.assert(property, { numRuns, seed, endOnFailure: true })).resolves.toBeUndefined()
  },
  60_000 + numRuns * 15_000,
)

/** Waits until the page has the data of a newly loaded one. A lasting difference makes the test fail. */
async function expectSame(page: OpenPage, roomIds: readonly string[]) {
  const isSame = async () => {
    await page.follow()
    return isDeepStrictEqual(page.state, await load(page.client, roomIds)) || undefined
  }
  await until(isSame).catch(async () => {
    const [known, fresh] = [page.state, await load(page.client, roomIds)].map((each) => JSON.stringify(each))
    throw new Error(`The page that reconnected knows ${known}, a new one ${fresh}.`)
  })
}

interface Scene {
  people: Client[]
  roomIds: string[]
  pages: OpenPage[]
  boss: Client
}

let passages = 0

/** Makes one step. A refusal, such as that of a message to a stranger, is a normal answer here. */
async function make(step: Step, { people, roomIds, pages, boss }: Scene): Promise<unknown> {
  if (step.do === 'deleteRoom') return boss.tries(deleteRoom, { params: { id: roomIds[step.room]! } })
  const who = people[step.who]!
  if ('room' in step) {
    const params = { id: roomIds[step.room]! }
    if (step.do === 'join') return who.tries(joinRoom, { params })
    if (step.do === 'sign')
      return who.tries(changeRoomMembership, { params, input: { signsWithName: step.isNamed } })
    return who.tries(sendPassage, { params, input: { content: `Night ${++passages}` } })
  }
  if (!('next' in step)) {
    const page = pages[step.who]!
    if (step.do === 'drop') return page.drop()
    return page.connect(step.do === 'backLost')
  }
  const other = (step.who + step.next) % people.length
  const userId = people[other]!.me.id
  switch (step.do) {
    case 'message':
      return who.tries(sendMessage, { input: { messageType: 'text', receiverId: userId, content: 'Hello' } })
    case 'befriend':
      return who.tries(addFriend, { input: { friendUserId: userId } })
    case 'part':
      return who.tries(removeFriend, { params: { userId } })
    case 'block':
    case 'unblock': {
      const { status } = await (step.do === 'block'
        ? who.tries(blockPerson, { input: { userId } })
        : who.tries(unblockPerson, { params: { userId } }))
      // The blocked person is told nothing (PPL-05), and finds the change when the page is loaded anew.
      return status < 300 && pages[other]!.openAnew()
    }
    case 'read':
    case 'delete': {
      const { status, body } = await who.tries(listMessages, { params: { friendId: userId } })
      const messages = status === 200 ? (body as { id: string; sender_id: string }[]) : []
      if (step.do === 'read') {
        const messageId = messages.at(-1)?.id
        return messageId && who.tries(markRead, { input: { friendUserId: userId, messageId } })
      }
      const own = messages.find(({ sender_id }) => sender_id === who.me.id)
      return own && who.tries(deleteMessage, { params: { id: own.id } })
    }
  }
}
