import { type SQL, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { diaryMaxMiB } from '#contract/diary/entry.ts'
import { addFriend, blockPerson, unblockPerson } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { buildApp } from '../app.ts'
import { roomMembers } from '../features/rooms/schema.ts'
import { openDatabase } from '../platform/database/pool.ts'
import { systemRandom } from '../platform/ids.ts'
import { contentOf } from '../testing/content.ts'
import { holdLocks, untilLockWaits } from '../testing/lock-waits.ts'
import { aRoom } from '../testing/rooms.ts'
import { type Answer, Client, startTestApp } from '../testing/test-app.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>

interface Writer {
  client: Client
  send: (client: Client, content: string, key: string) => Promise<Answer>
  /** From here to `accept` the server refuses what the writer sends. */
  refuse: () => Promise<unknown>
  accept: () => Promise<unknown>
}

const headersOf = (key: string) => ({ 'idempotency-key': key })

/** The changes whose statement claims the keys of its callers. No two writers need the same rows. */
const kinds = [
  {
    name: 'messages',
    table: sql`direct_messages`,
    written: sql`direct_messages`,
    status: 201,
    refusal: { status: 404, code: 'FriendNotFound' },
    async writerOf(t: TestApp): Promise<Writer> {
      const [client, friend] = [await t.person(), await t.person()]
      await client.does(addFriend, { input: { friendUserId: friend.me.id } })
      return {
        client,
        send: (at, content, key) =>
          at.tries(sendMessage, {
            input: { messageType: 'text', receiverId: friend.me.id, content },
            headers: headersOf(key),
          }),
        refuse: () => friend.does(blockPerson, { input: { userId: client.me.id } }),
        accept: () => friend.does(unblockPerson, { params: { userId: client.me.id } }),
      }
    },
  },
  {
    name: 'passages',
    table: sql`room_messages`,
    written: sql`room_messages`,
    status: 201,
    refusal: { status: 403, code: 'NotRoomMember' },
    async writerOf(t: TestApp): Promise<Writer> {
      const client = await t.person()
      const { id } = await client.does(createRoom, { input: aRoom() })
      const params = { id }
      return {
        client,
        send: (at, content, key) =>
          at.tries(sendPassage, { params, input: { content }, headers: headersOf(key) }),
        refuse: () => t.db.delete(roomMembers).where(sql`room_id = ${id}`),
        accept: () => client.does(joinRoom, { params }),
      }
    },
  },
  {
    name: 'diary entries',
    table: sql`diary_entries`,
    written: sql`diary_entries where size < 1000`,
    status: 200,
    refusal: { status: 400, code: 'DiaryFull' },
    async writerOf(t: TestApp): Promise<Writer> {
      const client = await t.person()
      const keys: string[] = []
      return {
        client,
        // Each key has a day of its own, which every call with the key overwrites.
        send: (at, content, key) => {
          if (!keys.includes(key)) keys.push(key)
          const input = { date: addDays('2025-06-10', keys.indexOf(key)), content }
          return at.tries(saveDiaryEntry, { input, headers: headersOf(key) })
        },
        refuse: () =>
          t.db.execute(sql`
            insert into diary_entries (user_id, entry_date, content, size, updated_at)
            values (${client.me.id}, '2001-01-01', '', ${diaryMaxMiB * 2 ** 20}::int, app_now())`),
        accept: () =>
          t.db.execute(
            sql`delete from diary_entries where user_id = ${client.me.id} and entry_date = '2001-01-01'`,
          ),
      }
    },
  },
] as const

interface Kind {
  /** The rows that writers have added. */
  written: SQL
  writerOf: (t: TestApp) => Promise<Writer>
}

async function startWith({ written, writerOf }: Kind, writerCount: number) {
  const t = await startTestApp({ config: { limitsRates: false } })
  const writers: Writer[] = []
  while (writers.length < writerCount) writers.push(await writerOf(t))
  const countRows = async () =>
    (await t.db.execute<{ count: number }>(sql`select count(*)::int as count from ${written}`)).rows[0]!.count
  const keys = async () =>
    (await t.db.execute<{ key: string }>(sql`select key from idempotency_keys order by key`)).rows.map(
      ({ key }) => key,
    )
  return { ...t, writers, countRows, keys }
}

/** A second process with connections of its own. */
async function startOtherProcess({ config, connection, clock }: TestApp) {
  const database = openDatabase({ connection, clock })
  const other = await buildApp({ config, database, clock, random: systemRandom })
  onTestFinished(async () => {
    await other.close()
    await database.close()
  })
  return (client: Client) => {
    const same = new Client((options) => other.inject(options))
    for (const [name, value] of client.cookies) same.cookies.set(name, value)
    same.user = client.user
    return same
  }
}

const answerOf = ({ status, body }: Answer) => [status, body]

test.each(kinds)(
  '$name of many people with a key each share statements, and each repeat gets its own first answer [R6 R7]',
  async (kind) => {
    const { db, writers, countRows, keys } = await startWith(kind, 6)
    const sendAll = () =>
      Promise.all(writers.map(({ client, send }, n) => send(client, `${n} writes`, `key-${n}`)))
    const first = await sendAll()
    expect(first.map(({ status }) => status)).toEqual(writers.map(() => kind.status))
    // The rows of one transaction have the same `xmin`.
    const { rows } = await db.execute<{ transactions: number }>(sql`
      select count(distinct xmin::text)::int as transactions from (
        select xmin from ${kind.table} union all select xmin from idempotency_keys where key like 'key-%') stored`)
    expect(rows[0]!.transactions).toBeLessThan(writers.length)

    const before = await contentOf(db)
    expect((await sendAll()).map(answerOf)).toEqual(first.map(answerOf))
    expect(await contentOf(db)).toEqual(before)
    expect(await countRows()).toBe(writers.length)
    expect(await keys()).toEqual(writers.map((_, n) => `key-${n}`))
  },
)

test.each(kinds)(
  'two processes that get the $name of many people with the same keys at once, in different order, store each once [R6 R7]',
  async (kind) => {
    const t = await startWith(kind, 5)
    const { writers, countRows } = t
    const atOther = await startOtherProcess(t)
    for (let round = 0; round < 6; round++) {
      const sendAll = (order: Writer[], at: (client: Client) => Client) =>
        order.map(async (writer) => {
          const n = writers.indexOf(writer)
          return [n, answerOf(await writer.send(at(writer.client), `${n} writes`, `${round}-${n}`))] as const
        })
      const answers = await Promise.all([
        ...sendAll(writers, (client) => client),
        ...sendAll(writers.toReversed(), atOther),
        // The same key twice at one process too.
        ...sendAll(writers.slice(0, 2), (client) => client),
      ])
      for (const n of writers.keys()) {
        const ofWriter = answers.flatMap(([writer, answer]) => (writer === n ? [answer] : []))
        expect(ofWriter[0]![0]).toBe(kind.status)
        for (const answer of ofWriter) expect(answer).toEqual(ofWriter[0])
      }
      expect(await countRows()).toBe((round + 1) * writers.length)
    }
  },
)

test.each(kinds)(
  'a key that is sent with two texts at once, among $name of others, stores one of them and refuses the other [R6 R7]',
  async (kind) => {
    const { db, writers, countRows } = await startWith(kind, 3)
    const [{ client, send }, ...others] = writers as [Writer, ...Writer[]]
    for (let round = 0; round < 5; round++) {
      const key = `key-${round}`
      const [one, two, ...rest] = await Promise.all([
        send(client, 'One text', key),
        send(client, 'Another text', key),
        ...others.map((other) => other.send(other.client, 'Beside it', key)),
      ])
      expect([one.status, two.status].toSorted()).toEqual([kind.status, 400])
      expect(one.code ?? two.code).toBe('IdempotencyKeyReused')
      expect(rest.map(({ status }) => status)).toEqual([kind.status, kind.status])
      expect(await countRows()).toBe((round + 1) * 3)
    }
    const before = await contentOf(db)
    expect(await send(client, 'A third text', 'key-0')).toMatchObject({
      status: 400,
      code: 'IdempotencyKeyReused',
    })
    expect(await contentOf(db)).toEqual(before)
  },
)

test.each(kinds)(
  'one writer of $name is refused beside others, who succeed; the key of the refused call stays free [R6 R7]',
  async (kind) => {
    const { writers, countRows, keys } = await startWith(kind, 4)
    const refused = writers[1]!
    await refused.refuse()
    const answers = await Promise.all(
      writers.map(({ client, send }, n) => send(client, `${n} writes`, `key-${n}`)),
    )
    expect(answers[1]).toMatchObject(kind.refusal)
    expect(answers.map(({ status }) => status)).toEqual([
      kind.status,
      kind.refusal.status,
      kind.status,
      kind.status,
    ])
    expect(await countRows()).toBe(3)
    expect(await keys()).toEqual(['key-0', 'key-2', 'key-3'])

    await refused.accept()
    expect((await refused.send(refused.client, 'Other words', 'key-1')).status).toBe(kind.status)
    expect(await countRows()).toBe(4)
  },
)

test.each(kinds)(
  'a person whose $name are refused since then gets the first answer to a repeated call [R7]',
  async (kind) => {
    const { db, writers } = await startWith(kind, 1)
    const { client, send, refuse } = writers[0]!
    const first = await send(client, 'Just in time', 'key')
    await refuse()
    const before = await contentOf(db)
    expect(answerOf(await send(client, 'Just in time', 'key'))).toEqual(answerOf(first))
    expect(await send(client, 'Too late', 'key')).toMatchObject({ status: 400, code: 'IdempotencyKeyReused' })
    expect(await send(client, 'Too late', 'another')).toMatchObject(kind.refusal)
    expect(await contentOf(db)).toEqual(before)
  },
)

test.each(kinds)('a statement for $name that fails stores no change and no key [R5 R7]', async (kind) => {
  const { db, writers, keys } = await startWith(kind, 3)
  const sendAll = () =>
    Promise.all(writers.map(({ client, send }, n) => send(client, `${n} writes`, `key-${n}`)))
  const before = await contentOf(db)
  await db.execute(sql`alter table ${kind.table} add constraint closed check (false) not valid`)
  expect((await sendAll()).map(({ status }) => status)).toEqual([500, 500, 500])
  await db.execute(sql`alter table ${kind.table} drop constraint closed`)
  expect(await contentOf(db)).toEqual(before)
  expect((await sendAll()).map(({ status }) => status)).toEqual(writers.map(() => kind.status))
  expect(await keys()).toEqual(['key-0', 'key-1', 'key-2'])
})

test.each(kinds)('a key of $name is free again after a day, for another text too [R7]', async (kind) => {
  const { db, writers, keys } = await startWith(kind, 1)
  const { client, send } = writers[0]!
  await send(client, 'One day', 'key')
  await db.execute(sql`update idempotency_keys set created_at = app_now() - interval '25 hours'`)
  const next = await send(client, 'The next day', 'key')
  expect(next.status).toBe(kind.status)
  expect(answerOf(await send(client, 'The next day', 'key'))).toEqual(answerOf(next))
  expect(next.body).toMatchObject({ content: 'The next day' })
  expect(await keys()).toEqual(['key'])
})

test('a message whose key is claimed by a call that has not ended waits for it, and others go on [R5 R7]', async () => {
  const { db, writers, countRows } = await startWith(kinds[0], 2)
  const [held, free] = writers as [Writer, Writer]
  await held.send(held.client, 'First', 'key')
  const release = await holdLocks(db, sql`select 1 from idempotency_keys for update`)
  const repeat = held.send(held.client, 'First', 'key')
  await untilLockWaits(db)
  expect((await free.send(free.client, 'At once', 'key')).status).toBe(201)
  await release()
  expect((await repeat).status).toBe(201)
  expect(await countRows()).toBe(2)
})
