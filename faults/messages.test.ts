import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { register } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { addFriend, listFriends } from '#contract/friends/endpoints.ts'
import type { InboxEvents } from '#contract/inbox/live.ts'
import {
  countUnread,
  deleteMessage,
  listMessages,
  markRead,
  sendMessage,
} from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { ReturningReader } from '../scripts/testing/returning-reader.ts'
import { rounds, startInstance } from './instance.ts'
import { until } from './room-story.ts'
import { untilAcknowledged } from './retry.ts'

const pairCount = 3

test('friends lose and duplicate no message and keep right unread counts while their server is killed again and again [R2 R7 R9 PPL-08]', async () => {
  const instance = await startInstance()
  const pairs = await Promise.all(
    Array.from({ length: pairCount }, (_, number) => startPair(() => instance.client(), number)),
  )
  const people = pairs.flat()
  await until(() => people.every(({ device }) => device.isReady))
  const talk = startTalking(pairs)
  for (let round = 0; round < Math.max(2, rounds); round++) {
    await talk.untilMore(60)
    // In every second round the database is killed too.
    const postmaster = round % 2 === 0 ? undefined : await instance.postmaster()
    const ended = instance.server.end('SIGKILL')
    if (postmaster !== undefined) process.kill(postmaster, 'SIGKILL')
    await ended
    await instance.startAgain()
  }
  await talk.untilMore(30)
  await talk.finish()

  for (const pair of pairs) {
    const [conversation, sameConversation] = await Promise.all([readAll(pair[0]), readAll(pair[1])])
    const deleted = new Set(pair.flatMap((person) => person.deleted))
    const kept = pair.flatMap(({ sent }) => sent).filter(({ id }) => !deleted.has(id))
    expect(deleted.size).toBeGreaterThan(0)
    expect(conversation).toEqual(kept.toSorted(byTime))
    expect(sameConversation).toEqual(conversation)
    for (const person of pair) {
      const unread = conversation.filter(
        ({ sender_id, created_at }) => sender_id !== person.id && created_at > person.readUntil,
      ).length
      const [friend] = await person.client.does(listFriends)
      expect(friend!.unreadCount).toBe(unread)
      expect(await person.client.does(countUnread)).toEqual({ unreadCount: unread })
      await until(() => person.device.deleted.length >= deleted.size)
      await until(() => person.device.messages.some(({ id }) => id === conversation.at(-1)?.id))
      person.device.close()
      // A message that was deleted while the device was away does not arrive.
      const { messages } = person.device
      expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
      expect(messages.filter(({ id }) => !deleted.has(id))).toEqual(conversation)
      expect(person.device.deleted.toSorted()).toEqual([...deleted].toSorted())
    }
  }
})

type Person = ReturnType<typeof startPerson>

/** Two friends, each with a device that reads the live stream. */
async function startPair(client: () => HttpClient, number: number) {
  const pair = await Promise.all(['ana', 'ben'].map((name) => registered(client(), `${name}${number}`)))
  const [[ana, anaClient], [ben, benClient]] = pair as [[User, HttpClient], [User, HttpClient]]
  await anaClient.does(addFriend, { input: { friendUserId: ben.id } })
  return [startPerson(ana.id, ben.id, anaClient), startPerson(ben.id, ana.id, benClient)] as const
}

async function registered(client: HttpClient, name: string): Promise<[User, HttpClient]> {
  const input = { email: `${name}@example.org`, password: 'secret1', firstName: name }
  return [await client.does(register, { input }), client]
}

function startPerson(id: string, friendId: string, client: HttpClient) {
  return {
    id,
    friendId,
    client,
    device: startDevice(client, id),
    /** The acknowledged messages. */
    sent: [] as DirectMessage[],
    /** The ids of the own messages whose deletion is acknowledged. */
    deleted: [] as string[],
    /** The time of the last message of the friend that the person has read. */
    readUntil: '',
  }
}

function startDevice(client: HttpClient, personId: string) {
  const messages: DirectMessage[] = []
  const deleted: string[] = []
  let isReady = false
  const live = new ReturningReader({
    origin: () => client.url,
    cookie: client.cookie,
    inbox: personId,
    comeBackMs: 50,
    onEvent: (name, data) => {
      if (name === 'reset') throw new Error('A device was too far behind to go on.')
      if (name === 'ready') isReady = true
      if (name === 'message') messages.push(data as DirectMessage)
      if (name === 'message.deleted') deleted.push((data as InboxEvents['message.deleted']).id)
    },
  })
  return {
    messages,
    deleted,
    get isReady() {
      return isReady
    },
    close: () => live.close(),
  }
}

/** All write at once. */
function startTalking(pairs: (readonly [Person, Person])[]) {
  let acknowledged = 0
  let isOver = false
  const talk = async (person: Person, friend: Person) => {
    const { client, friendId, sent, deleted } = person
    const left: DirectMessage[] = []
    for (let number = 1; !isOver; number++) {
      const input = { messageType: 'text' as const, receiverId: friendId, content: `Message ${number}` }
      const message = await untilAcknowledged<DirectMessage>((headers) =>
        client.tries(sendMessage, { input, headers }),
      )
      sent.push(message)
      left.push(message)
      acknowledged++
      if (number % 3 === 0) {
        // The friend has mostly read the oldest message, and not yet the newest.
        const { id } = (number % 2 === 0 ? left.shift() : left.pop())!
        await untilAcknowledged((headers) =>
          orMissing(client.tries(deleteMessage, { params: { id }, headers })),
        )
        deleted.push(id)
      }
      const newest = friend.sent.at(-1)
      if (number % 4 === 0 && newest !== undefined) {
        const input = { friendUserId: friendId, messageId: newest.id }
        const answer = await untilAcknowledged((headers) =>
          orMissing(client.tries(markRead, { input, headers })),
        )
        if (answer !== missing) person.readUntil = newest.created_at
      }
    }
  }
  const work = Promise.all(pairs.flatMap(([one, other]) => [talk(one, other), talk(other, one)]))
  // A refusal is thrown by `finish`.
  work.catch(() => {
    isOver = true
  })
  return {
    /** Waits until that many more messages are acknowledged, and then a random moment. */
    untilMore: async (more: number) => {
      const goal = acknowledged + more
      await until(() => isOver || acknowledged >= goal)
      await delay(Math.random() * 30)
    },
    finish: async () => {
      isOver = true
      await work
    },
  }
}

const missing = 'missing'

/** A repeated deletion finds the message missing; so does a reader whose friend has just deleted it. */
async function orMissing(call: Promise<Response>): Promise<Response> {
  const answer = await call
  return answer.status === 404 ? Response.json(missing) : answer
}

async function readAll({ client, friendId }: Person): Promise<DirectMessage[]> {
  const conversation: DirectMessage[] = []
  for (let before: string | undefined; ;) {
    const query = { limit: '50', ...(before !== undefined && { before }) }
    const answer = await client.tries(listMessages, { params: { friendId }, query })
    conversation.unshift(...((await answer.json()) as DirectMessage[]))
    before = answer.headers.get('next-before') ?? undefined
    if (before === undefined) return conversation
  }
}

const byTime = (one: DirectMessage, other: DirectMessage) => (one.created_at < other.created_at ? -1 : 1)
