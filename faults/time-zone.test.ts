import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { getConfig } from '#contract/app/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { ServerDidNotStart } from '../scripts/testing/running-server.ts'
import { startZimmer, zimmer } from './command-line.ts'
import { rounds, startUsedDatabase, startInstance } from './instance.ts'

const unset = { APP_TIME_ZONE: '' }

/** Starts a server on a database of its own, all of whose posts have another day in Tokyo than in Berlin. */
async function startInBerlin(postCount: number) {
  const { url } = await startUsedDatabase()
  const instance = await startInstance({ DATABASE_URL: url, ...unset })
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(
    `insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
     select gen_random_uuid(), 'Line ' || n, 'Ana', 'admin', at, at, (at at time zone 'Europe/Berlin')::date, n::text
     from generate_series(1, $1::int) n,
       lateral (select date_trunc('day', now()) - interval '3 days 4 hours' + n % 3000 * interval '1 s' as at) t`,
    [postCount],
  )
  const count = async (condition: string) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from posts where ${condition}`,
    )
    return rows[0]!.count
  }
  return {
    instance,
    zone: (name: string) => zimmer(instance.dataDir, ['time-zone', name], { DATABASE_URL: url }),
    startZone: (name: string) => startZimmer(instance.dataDir, ['time-zone', name], { DATABASE_URL: url }),
    wrongDays: (zone: string) => count(`published_on <> (published_at at time zone '${zone}')::date`),
    facts: async () =>
      (await client.query<{ name: string }>("select name from instance_facts where name like '%time-zone'"))
        .rows,
  }
}

test('a command changes the zone while no server runs, and the next start serves the days of the new zone [R27]', async () => {
  const { instance, zone, wrongDays } = await startInBerlin(6000)
  const refused = await zone('Asia/Tokyo')
  expect(refused).toMatchObject({ code: 1, complaint: expect.stringMatching(/^A server .* stop it first/) })
  expect(await wrongDays('Europe/Berlin')).toBe(0)
  expect(await instance.client().does(getConfig)).toMatchObject({ timeZone: 'Europe/Berlin' })

  await instance.server.end('SIGTERM')
  expect(await zone('Nowhere/Land')).toMatchObject({ code: 1 })
  expect(await wrongDays('Europe/Berlin')).toBe(0)
  expect(await zone('Asia/Tokyo')).toMatchObject({ code: 0, complaint: '' })
  expect(await wrongDays('Asia/Tokyo')).toBe(0)
  await instance.startAgain()
  expect(await instance.client().does(getConfig)).toMatchObject({ timeZone: 'Asia/Tokyo' })
  expect((await instance.client().tries(getFeedDay, { params: { offset: '3' } })).status).toBe(200)
})

test('after a change of the zone was killed no server starts until the same command has completed it [R27]', async () => {
  const { instance, zone, startZone, wrongDays, facts } = await startInBerlin(60_000)
  await instance.server.end('SIGTERM')
  const zones = ['Asia/Tokyo', 'Europe/Berlin']
  for (let round = 0; round < rounds; round++) {
    const [next, before] = [zones[round % 2]!, zones[(round + 1) % 2]!]
    const command = startZone(next)
    await expect.poll(() => wrongDays(before), { timeout: 50_000, interval: 5 }).toBeGreaterThan(0)
    command.kill('SIGKILL')
    expect(await wrongDays(next)).toBeGreaterThan(0)
    const start = await instance.startAgain().catch((error: unknown) => error)
    expect(start).toBeInstanceOf(ServerDidNotStart)
    expect((start as Error).message).toBe(
      `The change of the time zone to ${next} was cut short: finish it by npm run zimmer -- time-zone ${next}.\n`,
    )
    expect(await zone(next)).toMatchObject({ code: 0 })
    expect([await wrongDays(next), await facts()]).toEqual([0, [{ name: 'time-zone' }]])
  }
})

test('a second server with another zone is refused, and the first one serves the same days as before [R27]', async () => {
  const { url } = await startUsedDatabase()
  const first = await startInstance({ DATABASE_URL: url })
  const second = await startInstance({ DATABASE_URL: url, APP_TIME_ZONE: 'Asia/Tokyo' }).catch(
    (error: unknown) => error,
  )
  expect(second).toBeInstanceOf(ServerDidNotStart)
  expect((second as Error).message).toMatch(/^APP_TIME_ZONE is Asia\/Tokyo, .* time-zone Asia\/Tokyo\.\n$/)
  expect(await first.client().does(getConfig)).toMatchObject({ timeZone: 'Europe/Berlin' })
  const third = await startInstance({ DATABASE_URL: url, ...unset })
  expect(await third.client().does(getConfig)).toMatchObject({ timeZone: 'Europe/Berlin' })
})
