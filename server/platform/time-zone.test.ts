import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '#server/testing/test-database.ts'
import { changeTimeZone, holdTimeZone, TimeZoneRefused } from './time-zone.ts'

async function startPlace() {
  const { connection, drop } = await createTestDatabase()
  const client = new Client(connection)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await drop()
  })
  return {
    connection,
    hold: async (wanted?: string, onChanged?: (error: TimeZoneRefused) => void) => {
      const held = await holdTimeZone({ connection, wanted, ...(onChanged && { onChanged }) })
      onTestFinished(() => held.release())
      return held
    },
    facts: async () =>
      (
        await client.query<{ name: string; value: string }>(
          'select name, value from instance_facts order by name',
        )
      ).rows,
    store: (zone: string) => client.query('update instance_facts set value = $1', [zone]),
    isHeld: async () => {
      const { rowCount } = await client.query(
        `select 1 from pg_locks where locktype = 'advisory' and mode = 'ShareLock'
           and database = (select oid from pg_database where datname = current_database())`,
      )
      return rowCount === 1
    },
    /** Ends the connections that hold the zone, as a lost network does. */
    cut: async () => {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and application_name = 'zimmer time zone'`,
      )
      return rowCount
    },
  }
}

const nothing = async () => {}
const facts = (value: string) => [{ name: 'time-zone', value }]

test('the zone of the first start counts from then on, whether it is asked for or not [R27]', async () => {
  const place = await startPlace()
  const first = await place.hold('Europe/Berlin')
  expect(first.name).toBe('Europe/Berlin')
  expect((await place.hold('Europe/Berlin')).name).toBe('Europe/Berlin')
  expect((await place.hold()).name).toBe('Europe/Berlin')
  expect(await place.facts()).toEqual(facts('Europe/Berlin'))
})

test('without a zone in the settings the first start takes the zone of the machine [R27]', async () => {
  const place = await startPlace()
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  expect((await place.hold()).name).toBe(zone)
  expect(await place.facts()).toEqual(facts(zone))
})

test('another zone is refused with the command that changes it, another name of the same zone is not [R27]', async () => {
  const place = await startPlace()
  await place.hold('Europe/Kyiv')
  expect((await place.hold('Europe/Kiev')).name).toBe('Europe/Kyiv')
  await expect(place.hold('Asia/Tokyo')).rejects.toThrow(
    /^APP_TIME_ZONE is Asia\/Tokyo, .* counted in Europe\/Kyiv: .* npm run zimmer -- time-zone Asia\/Tokyo\.$/,
  )
  expect(await place.facts()).toEqual(facts('Europe/Kyiv'))
})

test('of servers that start at one moment with different zones one zone wins, and the others are refused [R27 R6]', async () => {
  const zones = ['Europe/Berlin', 'Asia/Tokyo', 'America/Lima', 'Pacific/Apia']
  for (let round = 0; round < 5; round++) {
    const place = await startPlace()
    const starts = await Promise.allSettled(zones.map((zone) => place.hold(zone)))
    const held = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value.name] : []))
    expect(held).toHaveLength(1)
    expect(await place.facts()).toEqual(facts(held[0]!))
  }
})

test('the zone is not changed while a server runs, and no server starts while it is changed [R27]', async () => {
  const place = await startPlace()
  const server = await place.hold('Europe/Berlin')
  let hasCounted = false
  const change = changeTimeZone(place.connection, 'Asia/Tokyo', async () => void (hasCounted = true))
  await expect(change).rejects.toThrow(/^A server or a command works with this database: stop it first/)
  expect(hasCounted).toBe(false)
  expect(await place.facts()).toEqual(facts('Europe/Berlin'))

  await server.release()
  await changeTimeZone(place.connection, 'Asia/Tokyo', async () => {
    await expect(place.hold()).rejects.toThrow(/^The time zone is being changed/)
  })
  expect(await place.facts()).toEqual(facts('Asia/Tokyo'))
  expect((await place.hold()).name).toBe('Asia/Tokyo')
})

test('a change that was cut short keeps servers from starting until it is finished or taken back [R27]', async () => {
  const place = await startPlace()
  await (await place.hold('Europe/Berlin')).release()
  for (const [next, way] of [
    ['Asia/Tokyo', 'Asia/Tokyo'],
    ['America/Lima', 'Asia/Tokyo'],
  ] as const) {
    const cut = changeTimeZone(place.connection, next, () => Promise.reject(new Error('cut short')))
    await expect(cut).rejects.toThrow('cut short')
    await expect(place.hold()).rejects.toThrow(
      `The change of the time zone to ${next} was cut short: finish it by npm run zimmer -- time-zone ${next}.`,
    )
    await changeTimeZone(place.connection, way, nothing)
    expect(await place.facts()).toEqual(facts(way))
  }
})

test('a server that loses its connection holds the zone again, and ends when it was changed meanwhile [R27]', async () => {
  const place = await startPlace()
  const changes: TimeZoneRefused[] = []
  await place.hold('Europe/Berlin', (error) => changes.push(error))
  expect(await place.cut()).toBe(1)
  await expect.poll(place.isHeld, { timeout: 5000 }).toBe(true)
  expect(changes).toEqual([])
  await place.store('Asia/Tokyo')
  await place.cut()
  await expect.poll(() => changes.length, { timeout: 5000 }).toBe(1)
  expect(changes[0]!.message).toMatch(/counted in Asia\/Tokyo/)
})
