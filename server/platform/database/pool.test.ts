import { sql } from 'drizzle-orm'
import { date, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock, testClock } from '#server/platform/clock.ts'
import { createTestDatabase } from '#server/testing/test-database.ts'
import type { TestDatabase } from '#server/testing/test-database.ts'
import { connectClient } from './connection.ts'
import { isDatabaseUnavailable } from './unavailable.ts'
import { openDatabase, perHandle } from './pool.ts'
import type { Db } from './pool.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

const appNow = async (db: Db) => {
  const { rows } = await db.execute<{ ms: number }>(
    sql`select (extract(epoch from app_now()) * 1000)::bigint as ms`,
  )
  return rows[0]?.ms ?? Number.NaN
}

test('the database returns the time of the clock, also after the clock was moved [R20]', async () => {
  const clock = testClock('2026-03-01T10:00:00Z')
  const db = openDatabase({ connection: own.connection, clock })
  expect(Math.abs((await appNow(db)) - clock.now().getTime())).toBeLessThan(60_000)
  clock.advance(40 * 60_000)
  expect(Math.abs((await appNow(db)) - Date.parse('2026-03-01T10:40:00Z'))).toBeLessThan(60_000)
  clock.set('2020-01-01T00:00:00Z')
  const times = await Promise.all([appNow(db), appNow(db), appNow(db)])
  for (const time of times) expect(Math.abs(time - Date.parse('2020-01-01T00:00:00Z'))).toBeLessThan(60_000)
  await db.close()
})

test('a transaction sees the time of the clock', async () => {
  const clock = testClock('2031-07-01T00:00:00Z')
  const db = openDatabase({ connection: own.connection, clock })
  const told = await db.transaction((tx) => appNow(tx))
  expect(new Date(told).getUTCFullYear()).toBe(2031)
  await db.close()
})

test('a reader gets a day as the same text in every time zone [S29]', async () => {
  const days = pgTable('days', {
    day: date().primaryKey(),
    savedAt: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
    note: text(),
  })
  const db = openDatabase({ connection: own.connection, clock: systemClock })
  await db.execute(sql`create table days (day date primary key, saved_at timestamptz not null, note text)`)
  const zone = process.env.TZ
  for (const TZ of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
    process.env.TZ = TZ
    await db.delete(days)
    const savedAt = new Date('2026-01-01T23:59:59.123Z')
    await db.insert(days).values({ day: '2026-01-02', savedAt })
    expect(await db.select().from(days)).toEqual([{ day: '2026-01-02', savedAt, note: null }])
    const raw = await db.pool.query('select day, array[day] as list from days')
    expect(raw.rows).toEqual([{ day: '2026-01-02', list: ['2026-01-02'] }])
  }
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
  await db.close()
})

test('a reader gets an instant in ISO 8601 with milliseconds, whatever the precision in the database [S29]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock })
  const written = [
    ['2026-01-01 23:59:59.123456+00', '2026-01-01T23:59:59.123Z'],
    ['2026-01-01 23:59:59.1+02', '2026-01-01T21:59:59.100Z'],
    ['2026-01-01 23:59:59+00', '2026-01-01T23:59:59.000Z'],
    ['12026-01-01 00:00:00+00', '+012026-01-01T00:00:00.000Z'],
    ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
  ]
  for (const [text, iso] of written)
    expect((await db.execute(sql`select ${text}::timestamptz as at`)).rows).toEqual([{ at: iso }])
  await db.close()
})

test('a count is a number', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock })
  expect((await db.execute(sql`select count(*) as n from generate_series(1, 3)`)).rows).toEqual([{ n: 3 }])
  expect((await db.pool.query('select count(*) as n from generate_series(1, 3)')).rows).toEqual([{ n: 3 }])
  await db.close()
})

test('a statement that takes too long is ended, and the next one is answered [S32]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock, statementTimeoutMs: 100, max: 1 })
  const slow = await db.execute(sql`select pg_sleep(20)`).catch((error: unknown) => error)
  expect(slow).toMatchObject({ cause: { code: '57014' } })
  expect(isDatabaseUnavailable(slow)).toBe(false)
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
  await db.close()
})

test('a caller without a free connection gets an error within two seconds [R15]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock, max: 1 })
  const held = await db.pool.connect()
  const refused = await db.execute(sql`select 1`).catch((error: unknown) => error)
  expect(isDatabaseUnavailable(refused)).toBe(true)
  held.release()
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
  await db.close()
})

test('a connection that ends while idle or within a transaction fails one request, not the process [R15 R16]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock, max: 1 })
  const other = openDatabase({ connection: own.connection, clock: systemClock })
  const endOthers = () =>
    other.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
  await db.execute(sql`select 1`)
  await endOthers()
  const failure = await db
    .transaction(async (tx) => {
      await tx.execute(sql`select 1`)
      await endOthers()
      await tx.execute(sql`select 1`)
    })
    .catch((error: unknown) => error)
  expect(isDatabaseUnavailable(failure)).toBe(true)
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
  await Promise.all([db.close(), other.close()])
})

test.skipIf(process.env.DATABASE_URL)(
  'a database server that stops answering fails one request, not the pool (needs the embedded database) [R15]',
  async () => {
    const db = openDatabase({
      connection: own.connection,
      clock: systemClock,
      statementTimeoutMs: 200,
      max: 1,
    })
    const failure = await db
      .transaction(async (tx) => {
        const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        const pid = rows[0]?.pid ?? 0
        process.kill(pid, 'SIGSTOP')
        try {
          await tx.execute(sql`select 1`)
        } finally {
          process.kill(pid, 'SIGCONT')
        }
      })
      .catch((error: unknown) => error)
    expect(isDatabaseUnavailable(failure)).toBe(true)
    expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
    await db.close()
  },
)

test('the database ends a transaction of a process that was suspended for a minute [R15]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock })
  const { rows } = await db.execute(
    sql`select current_setting('idle_in_transaction_session_timeout') as after`,
  )
  expect(rows).toEqual([{ after: '1min' }])
  await db.close()
})

test('a refusal inside a transaction undoes it and keeps the connection [R5]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock, max: 1 })
  await db.execute(sql`create table notes (n int)`)
  const pid = async () => (await db.execute(sql`select pg_backend_pid() as pid`)).rows[0]?.pid
  const before = await pid()
  const refusal = new Error('no')
  const refused = db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values (1)`)
    throw refusal
  })
  await expect(refused).rejects.toBe(refusal)
  expect((await db.execute(sql`select * from notes`)).rows).toEqual([])
  expect(await pid()).toBe(before)
  await db.close()
})

test('work that continues after a failed statement fails, because nothing of it is stored [R1 R5]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock, max: 1 })
  await db.execute(sql`create table lines (n int)`)
  const failure = db.transaction(async (tx) => {
    await tx.execute(sql`insert into lines values (1)`)
    await tx.execute(sql`select 1 / 0`).catch(() => {})
  })
  await expect(failure).rejects.toThrow('failed before its commit')
  expect((await db.execute(sql`select * from lines`)).rows).toEqual([])
  await db.close()
})

test('transactions of one connection share its prepared statements, and a transaction within a transaction is undone alone [R5]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock, max: 1 })
  await db.execute(sql`create table words (word text)`)
  let built = 0
  const insert = perHandle((handle) => {
    built++
    const add = (word: string) => handle.execute(sql`insert into words values (${word})`)
    return { add }
  })
  for (const word of ['first', 'second'])
    await db.transaction(async (tx) => {
      await insert(tx).add(word)
      const inner = tx.transaction(async (nested) => {
        await nested.execute(sql`insert into words values ('undone')`)
        throw new Error('undo')
      })
      await expect(inner).rejects.toThrow('undo')
    })
  expect((await db.execute(sql`select word from words`)).rows).toEqual([
    { word: 'first' },
    { word: 'second' },
  ])
  expect(built).toBe(1)
  await db.close()
})

test('a server that cannot be reached counts as unavailable, and a wrong statement does not [R15]', async () => {
  const nowhere = openDatabase({ connection: { host: '/nonexistent', database: 'x' }, clock: systemClock })
  expect(isDatabaseUnavailable(await nowhere.execute(sql`select 1`).catch((error: unknown) => error))).toBe(
    true,
  )
  const closed = openDatabase({
    connection: { host: '127.0.0.1', port: 1, database: 'x' },
    clock: systemClock,
  })
  expect(isDatabaseUnavailable(await closed.execute(sql`select 1`).catch((error: unknown) => error))).toBe(
    true,
  )
  const db = openDatabase({ connection: own.connection, clock: systemClock })
  expect(isDatabaseUnavailable(await db.execute(sql`select nothing`).catch((error: unknown) => error))).toBe(
    false,
  )
  await Promise.all([nowhere.close(), closed.close(), db.close()])
})

test('after the answer that the database can only be read, which is unavailable, a person gets another connection [R15]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock, max: 1 })
  onTestFinished(() => db.close())
  const write = sql`create table written (id int)`
  const pidOf = async () =>
    (await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows[0]!.pid
  const change = () =>
    db.transaction(async (tx) => {
      // As after the primary has become a standby.
      await tx.execute(sql`set transaction read only`)
      await tx.execute(write)
    })
  const before = await pidOf()
  expect(isDatabaseUnavailable(await change().catch((error: unknown) => error))).toBe(true)
  const after = await pidOf()
  expect(after).not.toBe(before)
  // A refusal of our own says nothing about the server.
  await db.transaction(() => Promise.reject(new Error('Refused'))).catch(() => {})
  expect(await pidOf()).toBe(after)
})

test('statements that the server refuses keep their connection, also on a full disk, unless the database can only be read [R15]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock, max: 1 })
  onTestFinished(() => db.close())
  const pidOf = async () =>
    (await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows[0]!.pid
  const isUnavailable = (failing: Promise<unknown>) => failing.then(() => undefined, isDatabaseUnavailable)
  const before = await pidOf()
  const onFullDisk = sql`do $$ begin raise exception using errcode = 'disk_full'; end $$`
  expect(await isUnavailable(db.execute(onFullDisk))).toBe(true)
  expect(await isUnavailable(db.transaction((tx) => tx.execute(onFullDisk)))).toBe(true)
  expect(await isUnavailable(db.execute(sql`select 1 / 0`))).toBe(false)
  expect(await pidOf()).toBe(before)
  await db.execute(sql`set default_transaction_read_only = on`)
  expect(await isUnavailable(db.execute(sql`create table written (id int)`))).toBe(true)
  expect(await pidOf()).not.toBe(before)
})

test('a prepared statement whose result a migration changes fails once on its connection, in a transaction and outside [R18]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock, max: 1 })
  onTestFinished(() => db.close())
  await db.execute(sql`create table shelf (id int)`)
  const shelf = perHandle((handle) =>
    handle
      .select({ shelf: sql`shelf.*` })
      .from(sql`shelf`)
      .prepare('shelf'),
  )
  const alone = () => shelf(db).execute()
  const within = () => db.transaction((tx) => shelf(tx).execute())
  for (const read of [alone, within]) {
    await read()
    await db.execute(sql`alter table shelf add column ${sql.identifier(read.name)} int`)
    await expect(read()).rejects.toMatchObject({ cause: { code: '0A000' } })
    await read()
  }
})

test('after a statement that the driver could not send, one that the server has not prepared, and one in a failed transaction, people get another connection [R15]', async () => {
  const db = openDatabase({ connection: own.connection, clock: systemClock, max: 1 })
  onTestFinished(() => db.close())
  const unsendable = {
    toPostgres: () => {
      throw new Error('No text')
    },
  }
  const ask = (value: unknown) =>
    db.pool.query({ name: 'ask', text: 'select $1::text as value', values: [value] })
  await expect(ask(unsendable)).rejects.toThrow('No text')
  expect((await ask('a')).rows).toEqual([{ value: 'a' }])
  await db.pool.query('deallocate ask')
  await expect(ask('a')).rejects.toMatchObject({ code: '26000' })
  expect((await ask('a')).rows).toEqual([{ value: 'a' }])
  await db.pool.query('begin')
  await expect(db.pool.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
  await expect(db.pool.query('select 1')).rejects.toMatchObject({ code: '25P02' })
  expect((await ask('b')).rows).toEqual([{ value: 'b' }])
})

test('a connection for long work does not wait for a server that accepts it and stays silent [R15]', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { port } = server.address() as AddressInfo
  const refused = connectClient({ host: '127.0.0.1', port, user: 'ana' }, 'test').catch(
    (error: unknown) => error,
  )
  const [accepted] = await once(server, 'connection')
  vi.advanceTimersByTime(10_000)
  expect(isDatabaseUnavailable(await refused)).toBe(true)
  accepted.destroy()
})
