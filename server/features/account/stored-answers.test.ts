import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount, getMe, register } from '#contract/account/endpoints.ts'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { acceptInvitation, createInvitation } from '#contract/invitations/endpoints.ts'
import { deleteMessage, markRead, sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { connect, type Place } from '#server/commands/place.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { allPersonalData } from '#server/features.ts'
import { idempotencyKeys } from '#server/platform/schema.ts'
import { contentOf } from '#server/testing/content.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, type Sent, startTestApp } from '#server/testing/test-app.ts'
import { purgeGuests, removeAccountByEmail } from './accounts.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>

const email = 'ana@example.org'
const day = 24 * 60 * 60_000

let keys = 0
const keyed = <E extends Endpoint>(client: Client, endpoint: E, sent: Sent<E>) =>
  client.does(endpoint, { ...sent, headers: { 'idempotency-key': `key-${++keys}` } })

const submit = (client: Client, type: 'premium' | 'standard' = 'standard') =>
  keyed(client, submitPost, { input: { content: `${type} ${++keys}`, authorName: 'Ana', type } })

/** Names of tables in which a row names the person; the audit log does, by its purpose. */
async function tablesThatName({ db }: TestApp, id: string) {
  const { audit_log: _audit, ...content } = await contentOf(db)
  return Object.entries(content).flatMap(([table, rows]) =>
    rows.some((row) => row.includes(id)) ? table : [],
  )
}

/** Ana has made every call that takes a key, and other people have stored answers about her things. */
async function startWithAna() {
  const t = await startTestApp()
  const [ana, ben, admin] = [await t.person({ email }), await t.person(), await t.admin()]
  const room = await keyed(ana, createRoom, { input: aRoom() })
  const params = { id: room.id }
  await keyed(ben, joinRoom, { params })
  await keyed(ana, joinRoom, { params })
  await keyed(ana, sendPassage, { params, input: { content: 'It was late.' } })
  await submit(ana, 'premium')
  const pending = await submit(ana)
  await keyed(admin, approvePost, { params: { id: pending.id } })
  await submit(ana)
  await keyed(ana, saveDiaryEntry, { input: { date: '2025-06-10', content: 'A quiet day', base: null } })
  await keyed(ana, saveCalendarNote, { input: { date: '2025-06-10', note: 'Post the letter', base: null } })
  await keyed(ben, addFriend, { input: { friendUserId: ana.me.id } })
  const write = (who: Client, to: Client) =>
    keyed(who, sendMessage, { input: { messageType: 'text', receiverId: to.me.id, content: 'Hello' } })
  const fromBen = await write(ben, ana)
  const fromAna = await write(ana, ben)
  await keyed(ben, markRead, { input: { friendUserId: ana.me.id, messageId: fromAna.id } })
  await ben.does(deleteMessage, { params: { id: fromBen.id } })
  const cem = await t.person()
  const invite = async (inviter: Client, follower: Client) => {
    const { token } = await keyed(inviter, createInvitation, {})
    await keyed(follower, acceptInvitation, { input: { token } })
  }
  await invite(ana, cem)
  await invite(cem, ana)
  await keyed(ben, blockPerson, { input: { userId: ana.me.id } })
  await keyed(ana, blockPerson, { input: { userId: ben.me.id } })
  return { ...t, ana, ben, room }
}

test.each([
  ['by a call', (_t: TestApp, ana: Client) => keyed(ana, deleteAccount, {})],
  [
    'by a command',
    (t: TestApp) => {
      const { connectionString, ...parts } = t.connection
      const { host, port, user, password, database } = parts
      const databaseUrl =
        connectionString ??
        `postgres://${user}:${String(password)}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`
      const remove = (place: Place) => removeAccountByEmail(place, email, allPersonalData)
      return connect({ ...t.config, databaseUrl }, remove, new AbortController().signal)
    },
  ],
])('an account that is deleted %s is named by no row of any table [S15 R7]', async (_how, remove) => {
  const t = await startWithAna()
  expect(await tablesThatName(t, t.ana.me.id)).toContain('idempotency_keys')
  await remove(t, t.ana)
  expect(await tablesThatName(t, t.ana.me.id)).toEqual([])
  // The stored answers of others are still there.
  const { idempotency_keys: left } = await contentOf(t.db)
  expect(left!.every((row) => row.includes(t.ben.me.id) || !row.includes(t.room.id))).toBe(true)
})

test('a guest who deletes themself, or is not used any more, is named by no row of any table [S15 S16 R7]', async () => {
  const t = await startTestApp()
  const [leaving, unused] = [await t.guest(), await t.guest()]
  for (const guest of [leaving, unused]) await submit(guest)
  await keyed(leaving, deleteAccount, {})
  expect(await tablesThatName(t, leaving.me.id)).toEqual([])
  // Keys are younger than a day here: the purge of old ones is not what takes them.
  await t.db.execute(
    sql`update users set created_at = app_now() - interval '31 days' where id = ${unused.me.id}`,
  )
  await t.db.execute(sql`delete from sessions where user_id = ${unused.me.id}`)
  t.clock.advance(day / 2)
  await purgeGuests({ database: t.db, personalData: allPersonalData, events: new DomainEvents() })
  expect(await tablesThatName(t, unused.me.id)).toEqual([])
})

test('a guest who signs up and retries a call with its key gets the stored answer, and nothing happens twice [S16 R7]', async () => {
  const t = await startTestApp()
  const ana = await t.guest()
  const guestId = ana.me.id
  const sent = {
    input: { content: 'A first poem', authorName: 'Ana' },
    headers: { 'idempotency-key': 'before-signing-up' },
  }
  const first = await ana.does(submitPost, sent)
  const [answer] = await t.db.select().from(idempotencyKeys)
  await ana.does(register, { input: { email, password: 'lamps and ink' } })
  expect(await tablesThatName(t, guestId)).toEqual([])
  const { id } = await ana.does(getMe)
  expect(await t.db.select().from(idempotencyKeys)).toEqual([{ ...answer, person: id }])
  expect(await ana.does(submitPost, sent)).toEqual(first)
  expect((await contentOf(t.db)).posts).toHaveLength(1)
  await ana.does(deleteAccount)
  expect(await tablesThatName(t, id)).toEqual([])
})

test('calls with a key during the deletion of their account leave no row that names the account [S15 R6 R7]', async () => {
  const t = await startTestApp({ config: { limitsRates: false } })
  for (let round = 0; round < 5; round++) {
    const ana = await t.person()
    const calls = Array.from({ length: 12 }, () =>
      ana.tries(submitPost, {
        input: { content: `Line ${++keys}`, authorName: 'Ana' },
        headers: { 'idempotency-key': `meet-${++keys}` },
      }),
    )
    const [deletion, ...answers] = await Promise.all([ana.tries(deleteAccount), ...calls])
    expect(deletion.status).toBe(200)
    for (const { status } of answers) expect([201, 401]).toContain(status)
    expect(await tablesThatName(t, ana.me.id)).toEqual([])
  }
})
