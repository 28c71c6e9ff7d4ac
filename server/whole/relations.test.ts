import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as friendCalls from '#contract/friends/endpoints.ts'
import * as messageCalls from '#contract/messages/endpoints.ts'
import { contentOf } from '../testing/content.ts'
import { tryToOpenStream } from '../testing/stream-client.ts'
import { type Client, startTestApp } from '../testing/test-app.ts'

const { addFriend, blockPerson, listBlockedPeople, listFriends, removeFriend, searchPeople, unblockPerson } =
  friendCalls
const { countUnread, deleteMessage, listMessages, markRead, sendMessage } = messageCalls

/** What the other person is to the caller. All but a stranger, a guest and nobody were friends and wrote to each other. */
const relations = [
  'friend',
  'stranger',
  'oneself',
  'guest',
  'blocked by the caller',
  'has blocked the caller',
  'deleted',
  'nobody',
] as const
type Relation = (typeof relations)[number]

interface Other {
  id: string
  /** The whole email address, or one of nobody. */
  email: string
  /** A message of the caller to the other person, and one of the other person to the caller. */
  sent: string
  received: string
}

interface Row {
  endpoint: Endpoint
  what: string
  make: (other: Other) => { params?: object; query?: object; input?: object }
  /** The answer for each relation, for those that are not named the one of `otherwise`. */
  answers: Partial<Record<Relation, string>> & { otherwise: string }
}

const notFriends = { otherwise: '404 FriendNotFound' }

/** What a call answers, by the relation of the caller to the person whom the call concerns. */
const rows: Row[] = [
  row(listFriends, 'the other person is listed', () => ({}), { friend: '200 with them', otherwise: '200' }),
  row(addFriend, 'adding the other person', ({ id }) => ({ input: { friendUserId: id } }), {
    friend: '200 with them',
    stranger: '200 with them',
    otherwise: '400 CannotBeFriend',
  }),
  row(removeFriend, 'ending the friendship', ({ id }) => ({ params: { userId: id } }), {
    friend: '200',
    ...notFriends,
  }),
  row(searchPeople, 'a search for the whole address', ({ email }) => ({ query: { q: email } }), {
    friend: '200 with them',
    stranger: '200 with them',
    otherwise: '200',
  }),
  row(blockPerson, 'blocking the other person', ({ id }) => ({ input: { userId: id } }), {
    friend: '201',
    stranger: '201',
    'blocked by the caller': '201',
    // The caller must not learn of the block, so that it must be possible to block back.
    'has blocked the caller': '201',
    otherwise: '400 CannotBeBlocked',
  }),
  row(unblockPerson, 'unblocking the other person', ({ id }) => ({ params: { userId: id } }), {
    'blocked by the caller': '200',
    otherwise: '404 NotBlocked',
  }),
  row(listBlockedPeople, 'the other person is listed', () => ({}), {
    'blocked by the caller': '200 with them',
    otherwise: '200',
  }),
  row(listMessages, 'the conversation', ({ id }) => ({ params: { friendId: id } }), {
    friend: '200 with them',
    ...notFriends,
  }),
  row(
    sendMessage,
    'a text',
    ({ id }) => ({ input: { messageType: 'text', receiverId: id, content: 'Good evening' } }),
    { friend: '201 with them', ...notFriends },
  ),
  row(deleteMessage, 'an own message', ({ sent }) => ({ params: { id: sent } }), {
    friend: '200',
    otherwise: '404 MessageNotFound',
  }),
  row(deleteMessage, 'a message of the other person', ({ received }) => ({ params: { id: received } }), {
    friend: '403 NotYourMessage',
    otherwise: '404 MessageNotFound',
  }),
  row(
    markRead,
    'a message of the other person',
    ({ id, received }) => ({ input: { friendUserId: id, messageId: received } }),
    { friend: '200', ...notFriends },
  ),
  row(countUnread, 'the message of the other person', () => ({}), {
    friend: '200 {"unreadCount":1}',
    otherwise: '200 {"unreadCount":0}',
  }),
]

function row(endpoint: Endpoint, what: string, make: Row['make'], answers: Row['answers']): Row {
  return { endpoint, what, make, answers }
}

test('every call of friends and messages has a row in the table of relations [S2 S39 S40 S43]', () => {
  const endpoints = [friendCalls, messageCalls].flatMap((calls) =>
    Object.values(calls).filter((each): each is Endpoint => typeof each === 'object' && 'path' in each),
  )
  expect(endpoints.filter((each) => rows.every(({ endpoint }) => endpoint !== each))).toEqual([])
})

test.each(rows.map((each) => ({ name: `${each.endpoint.method} ${each.endpoint.path}`, ...each })))(
  '$name ($what) answers friends, strangers, guests, people on either side of a block and deleted people as the table says; a refusal changes nothing and tells nothing [S40 S43 PPL-04 PPL-05]',
  async ({ endpoint, make, answers }) => {
    const { db, meet } = await startRelations()
    const answered: Partial<Record<Relation, string>> = {}
    const refusals = new Map<string, Set<string>>()
    for (const relation of relations) {
      const { caller, other } = await meet(relation)
      const before = await contentOf(db)
      const { status, code, body } = await caller.tries(endpoint, make(other))
      const text = JSON.stringify(body)
      const isAbout = text.includes(other.id)
      const counts = endpoint === countUnread ? ` ${text}` : ''
      answered[relation] = `${status}${code ? ` ${code}` : ''}${isAbout ? ' with them' : ''}${counts}`
      if (code === undefined) continue
      expect([relation, await contentOf(db)]).toEqual([relation, before])
      refusals.set(code, (refusals.get(code) ?? new Set()).add(text))
    }
    const { otherwise } = answers
    expect(answered).toEqual(Object.fromEntries(relations.map((each) => [each, answers[each] ?? otherwise])))
    // The same bytes for everybody: nobody learns of a block, a guest or an account.
    for (const bodies of refusals.values()) expect(bodies.size).toBe(1)
  },
)

test('the inbox over the live stream is readable for its own person alone, and tells nothing about another one [S6 S43 PPL-05]', async () => {
  const { app, meet, visitor, guest } = await startRelations()
  const inboxOf = async (id: string, who: Client) => {
    const stream = await tryToOpenStream(app, who, { inbox: id })
    const ready = await stream.receives('ready')
    stream.close()
    return ready
  }
  for (const relation of relations) {
    const { caller, other } = await meet(relation)
    const inbox = relation === 'oneself' ? [other.id] : []
    expect([relation, await inboxOf(other.id, caller)]).toEqual([relation, { inbox }])
  }
  const { other } = await meet('friend')
  for (const stranger of [visitor(), await guest()])
    expect(await inboxOf(other.id, stranger)).toEqual({ inbox: [] })
})

async function startRelations() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const write = async (from: Client, to: Client) => {
    const input = { messageType: 'text', receiverId: to.me.id, content: 'Good morning' } as const
    return (await from.does(sendMessage, { input })).id
  }
  /** Makes two people in this relation. */
  const meet = async (relation: Relation): Promise<{ caller: Client; other: Other }> => {
    const caller = await t.person()
    const [sent, received] = [unknownId, unknownId]
    if (relation === 'nobody')
      return { caller, other: { id: nobody, email: 'nobody@example.org', sent, received } }
    const other = relation === 'oneself' ? caller : relation === 'guest' ? await t.guest() : await t.person()
    const made = { id: other.me.id, email: other.me.email ?? 'guest@example.org', sent, received }
    if (relation === 'stranger' || relation === 'oneself' || relation === 'guest')
      return { caller, other: made }
    await caller.does(addFriend, { input: { friendUserId: made.id } })
    made.sent = await write(caller, other)
    made.received = await write(other, caller)
    if (relation === 'deleted') await other.does(deleteAccount)
    if (relation === 'blocked by the caller') await caller.does(blockPerson, { input: { userId: made.id } })
    if (relation === 'has blocked the caller')
      await other.does(blockPerson, { input: { userId: caller.me.id } })
    return { caller, other: made }
  }
  return { ...t, meet }
}

const nobody = '0000000000'
const unknownId = '00000000-0000-7000-8000-000000000000'
