import { expect, test, type TestContext } from 'vitest'
import { addFriend, blockPerson, listFriends, unblockPerson } from '#contract/friends/endpoints.ts'
import {
  countUnread,
  deleteMessage,
  listMessages,
  markRead,
  sendMessage,
} from '#contract/messages/endpoints.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { openStream } from '#server/testing/stream-client.ts'
import type { Client } from '#server/testing/test-app.ts'

const messengers = ['NOTIFY', 'Redis'] as const satisfies Messenger[]

/** Ana is at the first process, and her friend Ben at the other one. */
async function startFriends(messenger: Messenger, context: TestContext) {
  const t = await startTwoApps(messenger, context)
  const ana = await t.person()
  const benHere = await t.person()
  await ana.does(addFriend, { input: { friendUserId: benHere.me.id } })
  const ben = t.atOther(benHere)
  const to = (whom: Client, content: string) => ({
    input: { messageType: 'text' as const, receiverId: whom.me.id, content },
  })
  const ofAna = { params: { friendId: ana.me.id } }
  const ofBen = { params: { friendId: ben.me.id } }
  return { ...t, ana, ben, benHere, to, ofAna, ofBen }
}

test.for(messengers)(
  'over %s a person reads, at one process, a message that a friend writes at another; both processes know that it is read, and a deletion arrives too [MSG-27 PPL-08 R9]',
  async (messenger, context) => {
    const { app, other, ana, ben, benHere, to, ofAna, ofBen } = await startFriends(messenger, context)
    const laptop = await openStream(other, ben, { inbox: ben.me.id })
    const phone = await openStream(app, benHere, { inbox: ben.me.id })
    const devices = [laptop, phone]
    const unread = async () => {
      const counts = [ben, benHere].flatMap((client) => [
        client.does(countUnread).then(({ unreadCount }) => unreadCount),
        client.does(listFriends).then(([friend]) => friend!.unreadCount),
      ])
      return [...new Set(await Promise.all(counts))]
    }

    const one = await ana.does(sendMessage, to(ben, 'one'))
    for (const device of devices) expect(await device.receives('message')).toEqual(one)
    expect(await unread()).toEqual([1])

    await ben.does(markRead, { input: { friendUserId: ana.me.id, messageId: one.id } })
    const read = { friendUserId: ana.me.id, unreadCount: 0 }
    for (const device of devices) expect(await device.receives('messages.read')).toEqual(read)
    expect(await unread()).toEqual([0])

    const two = await ana.does(sendMessage, to(ben, 'two'))
    for (const device of devices) await device.receives('message', ({ id }) => id === two.id)
    expect(await unread()).toEqual([1])
    await ana.does(deleteMessage, { params: { id: two.id } })
    const deleted = { id: two.id, friendUserId: ana.me.id }
    for (const device of devices) expect(await device.receives('message.deleted')).toEqual(deleted)
    expect(await unread()).toEqual([0])

    expect(await ana.does(listMessages, ofBen)).toEqual([one])
    expect(await ben.does(listMessages, ofAna)).toEqual([one])
    for (const device of devices)
      expect(device.received.map(({ name }) => name)).toEqual([
        'ready',
        'message',
        'messages.read',
        'message',
        'message.deleted',
      ])
  },
)

test.for(messengers)(
  'over %s friends at two processes who answer each other do not wait for the poll of each second [MSG-27]',
  async (messenger, context) => {
    const { app, other, ana, ben, to } = await startFriends(messenger, context)
    const [anaHears, benHears] = [
      await openStream(app, ana, { inbox: ana.me.id }),
      await openStream(other, ben, { inbox: ben.me.id }),
    ]
    const answers = 20
    let start = 0
    for (let number = 0; number <= answers; number++) {
      const [writer, reader, hears] = number % 2 === 0 ? [ana, ben, benHears] : [ben, ana, anaHears]
      const { id } = await writer.does(sendMessage, to(reader, `Message ${number}`))
      await hears.receives('message', (message) => message.id === id)
      // The first message gives both processes the time to connect.
      if (number === 0) start = performance.now()
    }
    // By the polls alone, a message and its answer take a second.
    expect(performance.now() - start).toBeLessThan((answers / 2) * 500)
  },
)

test.for(messengers)(
  'over %s friends who write, delete and read at two processes at once find the same conversation and the same counts at both [R5 R6 R9 PPL-08]',
  async (messenger, context) => {
    const { app, other, atOther, ana, ben, benHere, to, ofAna, ofBen } = await startFriends(
      messenger,
      context,
    )
    const anaThere = atOther(ana)
    const devices = [
      await openStream(app, benHere, { inbox: ben.me.id }),
      await openStream(other, anaThere, { inbox: ana.me.id }),
    ]
    const read = (who: Client, friend: Client, messageId: string) =>
      who.does(markRead, { input: { friendUserId: friend.me.id, messageId } })
    const first = await ana.does(sendMessage, to(ben, 'first'))
    const unwanted = await ana.does(sendMessage, to(ben, 'unwanted'))
    const [deletions, sent] = await Promise.all([
      Promise.all([ana, anaThere].map((at) => at.tries(deleteMessage, { params: { id: unwanted.id } }))),
      Promise.all(
        Array.from({ length: 20 }, (_, n) => {
          const [writer, reader] = [[ana, ben] as const, [ben, ana] as const][n % 2]!
          return writer.does(sendMessage, to(reader, `${n}`))
        }),
      ),
      read(ben, ana, first.id),
      read(benHere, ana, first.id),
    ])
    expect(deletions.map(({ status }) => status).toSorted()).toEqual([200, 404])

    const conversation = await ana.does(listMessages, ofBen)
    expect(conversation.map(({ id }) => id).toSorted()).toEqual(
      [first, ...sent].map(({ id }) => id).toSorted(),
    )
    expect(await anaThere.does(listMessages, ofBen)).toEqual(conversation)
    for (const at of [ben, benHere]) {
      expect(await at.does(listMessages, ofAna)).toEqual(conversation)
      expect(await at.does(countUnread)).toEqual({ unreadCount: 10 })
    }
    for (const at of [ana, anaThere]) expect(await at.does(countUnread)).toEqual({ unreadCount: 10 })
    for (const device of devices) {
      await device.receives('message', ({ id }) => id === conversation.at(-1)!.id)
      await device.receives('message.deleted')
      expect(device.all('message').filter(({ id }) => id !== unwanted.id)).toEqual(conversation)
      expect(device.all('message.deleted')).toHaveLength(1)
    }
  },
)

test.for(messengers)(
  'over %s a person blocks a friend at one process: at the other the friend is refused at once, until the block is removed [PPL-04 PPL-05 R5]',
  async (messenger, context) => {
    const { app, ana, ben, benHere, to, ofBen } = await startFriends(messenger, context)
    const device = await openStream(app, benHere, { inbox: ben.me.id })
    // A message that is sent during the block is stored or refused.
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, (_, n) => ana.tries(sendMessage, to(ben, `${n}`)))),
      ben.does(blockPerson, { input: { userId: ana.me.id } }),
    ])
    const refused = { status: 404, code: 'FriendNotFound' }
    expect(await ana.tries(sendMessage, to(ben, 'after the block'))).toMatchObject(refused)
    expect(await benHere.tries(sendMessage, to(ana, 'after the block'))).toMatchObject(refused)
    expect(await ana.tries(listMessages, ofBen)).toMatchObject(refused)
    for (const client of [ana, ben, benHere]) {
      expect(await client.does(listFriends)).toEqual([])
      expect(await client.does(countUnread)).toEqual({ unreadCount: 0 })
    }

    await ben.does(unblockPerson, { params: { userId: ana.me.id } })
    const stored = answers.filter(({ status }) => status === 201).map(({ body }) => body)
    expect(new Set(await ana.does(listMessages, ofBen))).toEqual(new Set(stored))
    expect(await benHere.does(countUnread)).toEqual({ unreadCount: stored.length })
    const next = await ana.does(sendMessage, to(ben, 'after the peace'))
    expect(await device.receives('message', ({ id }) => id === next.id)).toEqual(next)
  },
)
