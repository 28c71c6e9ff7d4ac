import { sql } from 'drizzle-orm'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { changePassword, login, register } from '#contract/account/endpoints.ts'
import { credentials, sessions } from '../features/account/schema.ts'
import { createLog } from '../log.ts'
import { calls, requestOf } from '../testing/calls.ts'
import { startWorld, type World } from '../testing/world.ts'
import { Client } from '../testing/test-app.ts'

const address = '203.0.113.77'
const password = 'sentinel pass 7'
const email = 'sentinel7@example.org'
const sample = 'Sentinel writing sample, for nobody else.'
const text = 'Sentinel text of a post.'

/** A world whose log is kept, all its lines, and in which people come from an address of the internet. */
async function startWatched() {
  const lines: string[] = []
  const logger = createLog('trace', { write: (line) => void lines.push(line) })
  const world = await startWorld({ logger })
  const answers: LightMyRequestResponse[] = []
  const inject = async (options: InjectOptions) => {
    const answer = await world.app.inject({ ...options, remoteAddress: address })
    answers.push(answer)
    return answer
  }
  return { world, lines, answers, browser: () => new Client(inject) }
}

/** Makes every call as everybody, with a broken and an unknown request for each. */
async function makeAllCalls(world: World, clients: Client[]) {
  for (const row of calls) {
    for (const client of clients) {
      const right = requestOf(row, row.make(world))
      await client.request(right)
      if (right.payload !== undefined) {
        const headers = { 'content-type': 'application/json' }
        const typed = JSON.stringify({ password, email, content: text, content_: { writingSample: sample } })
        for (const payload of [typed, `${typed}x`]) await client.request({ ...right, payload, headers })
      }
      await client.request({ ...right, method: 'PUT' })
    }
  }
}

/** What only the database may hold: digests of passwords and of session tokens. */
async function digestsOf({ db }: World) {
  const secrets = (await db.select().from(credentials)).map(({ secret }) => secret)
  const hashes = (await db.select().from(sessions)).map(({ tokenHash }) => tokenHash)
  return [...secrets, ...hashes, '$argon2id$']
}

const heldBy = (places: string[], secrets: string[]) =>
  secrets.filter((secret) => places.some((place) => place.includes(secret)))

/** An answer but for the cookie that it sets. */
const shownIn = ({ body, headers: { 'set-cookie': _cookie, ...headers } }: LightMyRequestResponse) =>
  `${body}${JSON.stringify(headers)}`

test('in a run through all calls no password, token, digest or address of anybody is answered or logged [S5 S49]', async () => {
  const { world, lines, answers, browser } = await startWatched()
  const sentinel = browser()
  const named = { firstName: 'Sen', lastName: 'Tinel' }
  await sentinel.does(register, { input: { email, password, ...named } })
  await sentinel.tries(login, { input: { email, password: `${password} wrong` } })
  await sentinel.does(login, { input: { email, password } })
  await sentinel.does(changePassword, { input: { newPassword: `${password} new` } })
  await world.db.execute(sql`update users set writing_sample = ${sample} where first_name = 'Sen'`)
  const tokens = [sentinel.cookies.get('sid')!, sentinel.cookies.get('device')!]
  const own = answers.length

  const { guest, user, member, admin } = world.callers
  const clients = [browser(), guest, user, member, admin]
  const others = clients.map((client, place) => {
    if (place === 0) return client
    const watched = browser()
    for (const [name, value] of client.cookies) watched.cookies.set(name, value)
    tokens.push(client.cookies.get('sid')!)
    return watched
  })
  const digests = await digestsOf(world)
  await makeAllCalls(world, others)
  for (const client of others) tokens.push(client.cookies.get('sid') ?? tokens[0]!)
  digests.push(...(await digestsOf(world)))

  expect(answers.length).toBeGreaterThan(calls.length * 4)
  expect(lines.length).toBeGreaterThan(calls.length * 4)
  const never = [password, address, ...tokens, ...digests]
  expect(heldBy(answers.map(shownIn), never)).toEqual([])
  // A person learns of another only what the other publishes.
  expect(heldBy(answers.slice(own).map(shownIn), [email, sample])).toEqual([])
  expect(heldBy(lines, [...never, email, sample, text, 'sid='])).toEqual([])
})

test('an error of the database that repeats its parameters is answered without detail and logged without content [S5 S7 S49]', async () => {
  const { world, lines, answers, browser } = await startWatched()
  const admin = await world.admin()
  const author = browser()
  for (const [name, value] of admin.cookies) author.cookies.set(name, value)
  await world.db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      raise exception 'refused %', new using detail = new::text, hint = new::text;
    end $$`)
  const tables = ['users', 'emails', 'credentials', 'posts', 'rooms', 'room_messages', 'audit_log']
  for (const table of tables)
    await world.db.execute(
      sql`create trigger refuse before insert or update on ${sql.identifier(table)} for each row execute function refuse()`,
    )
  const before = lines.length
  const input = { email, password, firstName: 'Sen', lastName: 'Tinel' }
  const faults = [
    await browser().tries(register, { input }),
    await author.request({
      method: 'POST',
      url: '/api/feed',
      payload: { content: text, authorName: sample },
    }),
    await author.request({
      method: 'POST',
      url: '/api/pending-posts',
      payload: { content: text, authorName: sample },
      headers: { 'idempotency-key': 'k1' },
    }),
  ]
  await makeAllCalls(world, [author, browser()])
  expect(faults).toMatchObject([{ status: 500 }, { statusCode: 500 }, { statusCode: 500 }])
  const failed = answers.filter(({ statusCode }) => statusCode >= 500)
  expect(failed.length).toBeGreaterThan(5)
  for (const { body, headers } of failed)
    expect(JSON.parse(body)).toEqual({
      code: 'Unexpected',
      error: 'Something went wrong on our side. Please try again.',
      requestId: headers['x-request-id'],
    })
  const logged = lines.slice(before)
  expect(logged.filter((line) => line.includes('"msg":"unexpected"'))).toHaveLength(failed.length)
  // What helps to find the fault is there.
  expect(logged.join('')).toMatch(/"query":"insert into \\"posts\\".*"code":"P0001"/)
  const never = [password, address, email, sample, text, '$argon2id$', author.cookies.get('sid')!]
  expect(heldBy(logged, never)).toEqual([])
  expect(heldBy(failed.map(shownIn), [...never, 'insert', 'refused', 'node_modules', '/server/'])).toEqual([])
})
