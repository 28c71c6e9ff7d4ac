import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

async function startPairs(count: number) {
  const t = await startTestApp({ config: { limitsRates: false } })
  const pairs: (readonly [Client, Client])[] = []
  while (pairs.length < count) {
    const [one, other] = [await t.person(), await t.person()]
    await one.does(addFriend, { input: { friendUserId: other.me.id } })
    pairs.push([one, other])
  }
  const write = ([from, to]: readonly [Client, Client], content: string) =>
    from.tries(sendMessage, { input: { messageType: 'text', receiverId: to.me.id, content } })
  const conversation = ([one, other]: readonly [Client, Client]) =>
    one.does(listMessages, { params: { friendId: other.me.id } })
  return { ...t, pairs, write, conversation }
}

test('people who write at the same moment share a statement: each message is stored once and arrives at its two people, and a blocked one is refused [R5 R9 PPL-04]', async () => {
  const { app, db, pairs, write, conversation } = await startPairs(6)
  const [[blocked, blocking], ...others] = pairs as [(typeof pairs)[0], ...typeof pairs]
  await blocking.does(blockPerson, { input: { userId: blocked.me.id } })
  const devices = await Promise.all(
    others.flat().map(async (who) => ({ who, stream: await openStream(app, who, { inbox: who.me.id }) })),
  )

  const answers = await Promise.all(
    [0, 1, 2].flatMap((round) => pairs.map((pair, n) => write(pair, `${n} writes ${round}`))),
  )

  expect(answers.map(({ status }) => status)).toEqual([0, 1, 2].flatMap(() => [404, 201, 201, 201, 201, 201]))
  for (const [n, pair] of others.entries()) {
    const found = await conversation(pair)
    expect(found.map(({ content }) => content).toSorted()).toEqual(
      [0, 1, 2].map((round) => `${n + 1} writes ${round}`),
    )
    for (const { stream } of devices.filter(({ who }) => pair.includes(who))) {
      await stream.receives('message', ({ id }) => id === found.at(-1)!.id)
      expect(stream.all('message')).toEqual(found)
    }
  }
  // The rows of one transaction have the same `xmin`.
  const { rows } = await db.execute<{ messages: number; transactions: number }>(sql`
    select count(*)::int as messages, count(distinct xmin::text)::int as transactions from direct_messages`)
  expect(rows[0]!.messages).toBe(15)
  expect(rows[0]!.transactions).toBeLessThan(10)
})

test('while the friendship of two people is locked, others write as usual; when it is free, the message of the two is stored [R5 R7]', async () => {
  const { db, pairs, write, conversation } = await startPairs(2)
  const [held, free] = pairs as [(typeof pairs)[0], (typeof pairs)[0]]
  const [one, other] = held.map(({ me }) => me.id)
  const release = await holdLocks(
    db,
    sql`select 1 from friendships where low_id in (${one!}, ${other!}) for no key update`,
  )
  const late = write(held, 'late')
  await untilLockWaits(db)
  expect((await write(free, 'at once')).status).toBe(201)
  expect(await conversation(held)).toEqual([])
  await release()
  expect((await late).status).toBe(201)
  expect((await conversation(held)).map(({ content }) => content)).toEqual(['late'])
})
