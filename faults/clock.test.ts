import { Client } from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { changePassword, deleteAccount, getMe, login, register } from '#contract/account/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { createRoom, joinRoom, listFeedRooms, listRooms, sendPassage } from '#contract/rooms/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { wrongClock, wrongClockIsMissing } from '../scripts/testing/wrong-clock.ts'
import { startInstance, startSharedDatabase } from './instance.ts'

const password = 'lamps and ink'

let postgres: Awaited<ReturnType<typeof startSharedDatabase>>
beforeAll(async () => {
  postgres = await startSharedDatabase()
  return postgres.remove
})

let databases = 0

async function makeDatabase() {
  const name = `database${++databases}`
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${name}`).finally(() => client.end())
  return postgres.url.replace(/@\/\w+/, `@/${name}`)
}

/** Starts a server whose host clock is wrong, on a database whose clock is at `time`. */
async function startWrong(offset: string, time: string) {
  const [url, clock] = [await makeDatabase(), await wrongClock(offset)]
  const instance = await startInstance({
    ...clock.settings,
    DATABASE_URL: url,
    TEST_CLOCK: time,
    RATE_LIMITS: 'on',
  })
  const db = new Client({ connectionString: url })
  await db.connect()
  onTestFinished(() => db.end())
  let people = 0
  const person = async () => {
    const client = instance.client()
    const email = `person${++people}@example.org`
    const { id } = await client.does(register, { input: { email, password } })
    return { client, email, id }
  }
  return { ...instance, client: instance.client, db, clock, person }
}

const statusOf = async (answer: Promise<Response>) => (await answer).status

/** A room with a second writer. It ends for both by the clock of the database. */
async function expectRoomsToWork(t: Awaited<ReturnType<typeof startWrong>>) {
  const [ana, ben] = [await t.person(), await t.person()]
  const input = { name: 'Night', description: 'A story', isPublic: true, duration: 15, invitedFriends: [] }
  const { id } = await ana.client.does(createRoom, { input: { ...input, duration: 15 as const } })
  const params = { id }
  await ben.client.does(joinRoom, { params })
  for (const [place, { client }] of [ana, ben, ana].entries()) {
    const line = await client.does(sendPassage, { params, input: { content: `Line ${place}` } })
    expect(line.position).toBe(place + 1)
  }
  for (const list of [listRooms, listFeedRooms])
    expect((await ben.client.does(list)).map((room) => room.id)).toContain(id)
  await t.db.query(`update rooms set expires_at = expires_at - interval '15 minutes' where id = $1`, [id])
  expect(await statusOf(ben.client.tries(sendPassage, { params, input: { content: 'Late' } }))).toBe(403)
  const late = await t.person()
  expect(await statusOf(late.client.tries(joinRoom, { params }))).toBe(403)
}

/** Checks that each save is newer than its base, and that no two have the same time. */
async function saveInTurn(client: HttpClient, date: string, count: number, base: string | null) {
  const times: string[] = []
  for (let i = 0; i < count; i++) {
    const saved = await client.does(saveDiaryEntry, {
      input: { date, content: `Draft ${i}`, base: times.at(-1) ?? base },
    })
    times.push(saved.updated_at!)
  }
  expect(new Set(times).size).toBe(count)
  expect(times.toSorted()).toEqual(times)
  return times
}

describe.skipIf(wrongClockIsMissing)('a clock that is wrong', () => {
  test.each([
    // Berlin is two hours ahead of UTC: the server's day differs from that of the database.
    ['an hour ahead of', '+1h', '2025-06-10T22:30:00Z'],
    ['an hour behind', '-1h', '2025-06-10T21:30:00Z'],
  ])(
    'a server whose clock is %s that of its database changes passwords, deletes accounts, and uses the day of the database [R20 S14 S15 S22]',
    async (_what, offset, time) => {
      const t = await startWrong(offset, time)
      const [ana, ben, old] = [await t.person(), await t.person(), await t.person()]
      expect(
        await statusOf(ana.client.tries(changePassword, { input: { newPassword: 'ink and lamps' } })),
      ).toBe(200)
      const browser = t.client()
      await browser.does(login, { input: { email: ana.email, password: 'ink and lamps' } })
      expect((await browser.does(getMe)).id).toBe(ana.id)
      expect(await statusOf(ben.client.tries(deleteAccount))).toBe(200)

      // The sign-in was 20 minutes ago. A wrong clock must not make it fresh.
      await t.db.query(
        `update sessions set opened_at = opened_at - interval '20 minutes', last_seen_at = last_seen_at - interval '2 minutes' where user_id = $1`,
        [old.id],
      )
      const before = await t.db.query('select * from credentials where user_id = $1', [old.id])
      const stale = await old.client.tries(changePassword, { input: { newPassword: 'ink and lamps' } })
      expect(stale.status).toBe(403)
      expect(await statusOf(old.client.tries(deleteAccount))).toBe(403)
      const after = await t.db.query('select * from credentials where user_id = $1', [old.id])
      expect(after.rows).toEqual(before.rows)

      await expectRoomsToWork(t)
      const writer = await t.person()
      await saveInTurn(writer.client, '2025-06-10', 5, null)
      const posts: string[] = []
      for (const content of ['first', 'second', 'third'])
        posts.push(
          (
            await writer.client.does(submitPost, {
              input: { content, authorName: 'Ana', type: 'premium' },
            })
          ).id,
        )
      const feed = await writer.client.does(getFeedDay, { params: { offset: '0' } })
      expect(feed.map(({ id }) => id)).toEqual(posts.toReversed())
    },
  )

  test('when the clock of the host steps back by an hour while the server runs, nobody waits longer than before [R20 S12 S14 S22 S47]', async () => {
    const t = await startWrong('+0', '2025-06-10T12:00:00Z')
    const [ana, ben, writer] = [await t.person(), await t.person(), await t.person()]
    const guess = () => t.client().tries(login, { input: { email: ben.email, password: 'wrong' } })
    for (let i = 0; i < 5; i++) expect(await statusOf(guess())).toBe(401)
    for (let i = 0; i < 5; i++)
      expect(
        await statusOf(ana.client.tries(changePassword, { input: { newPassword: `lamps and ink ${i}` } })),
      ).toBe(200)
    const base = (await saveInTurn(writer.client, '2025-06-10', 3, null)).at(-1)!
    expect(await statusOf(guess())).toBe(401)
    t.clock.step('-1h')

    let throttled = await guess()
    // On a slow machine the first wait of one second may be over. The next one is two seconds.
    if (throttled.status === 401) throttled = await guess()
    expect(throttled.status).toBe(429)
    expect(Number(throttled.headers.get('retry-after'))).toBeLessThanOrEqual(2)
    const limited = await ana.client.tries(changePassword, { input: { newPassword: 'lamps and ink 5' } })
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(900)

    for (const { client, id } of [ana, ben, writer]) expect((await client.does(getMe)).id).toBe(id)
    expect(
      await statusOf(ben.client.tries(changePassword, { input: { newPassword: 'ink and lamps' } })),
    ).toBe(200)
    const times = await saveInTurn(writer.client, '2025-06-10', 3, base)
    expect(times[0]! > base).toBe(true)
    await expectRoomsToWork(t)
    expect(await statusOf(writer.client.tries(deleteAccount))).toBe(200)
  })
})
