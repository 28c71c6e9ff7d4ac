import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { getMe, register } from '#contract/account/endpoints.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { listFinishedRooms } from '#contract/rooms/endpoints.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { Attack, Order } from './attacker.ts'
import { inMegabytes, loadFromOtherCore, withInstance } from './instance.ts'
import { addPeople, type Person, withDatabase } from './rows.ts'
import { atMost, type Figure, fact, printTable, quantile } from './table.ts'

const attackMs = 20_000
/** Runs the same attack in the first seconds of a process, whose code is not compiled yet. */
const firstMs = 3000
const everyMs = 20
const wanted = process.argv.slice(2)

/** Fills the database, and runs the attack. */
const attacks: Record<string, (db: Database) => Promise<Attack>> = {
  'posts of 60 KiB of combining marks': async () => {
    const marks = (seed: number) =>
      Array.from({ length: 15_000 }, (_, n) => ((n + seed) % 2 ? '\u0301' : '\u0316')).join('')
    const bodies = [0, 1].map((seed) => JSON.stringify({ content: `a${marks(seed)}`, authorName: 'Mallory' }))
    return { kind: 'bodies', path: submitPost.path, bodies }
  },
  'registrations with a name of combining marks': async () => {
    const lastName = `a${'\u0301\u0316'.repeat(7_500)}`
    const body = JSON.stringify({ email: 'm@example.org', password: 'secret1', firstName: 'M', lastName })
    return { kind: 'bodies', path: register.path, bodies: [body] }
  },
  '60 articles of a feed of 10 MB, and 150 days of 1 MB': async (db) => {
    const ids = await fillFeed(db)
    const days = Array.from({ length: 150 }, (_, n) => `/api/feed/day/${n + 1}`)
    return { kind: 'reads', paths: [...ids.map((id) => `/posts/${id}`), ...days], callers: 8 }
  },
  '90 changes at once of one row by one person': async (db) => {
    const [ana] = await addPeople(db, 1)
    const body = JSON.stringify({ date: '2025-06-10', content: 'It rained all night. '.repeat(500) })
    return { kind: 'changes', path: saveDiaryEntry.path, body, callers: 90, cookie: ana!.cookie }
  },
  '510 bodies of one byte a second': async (db) => {
    const [ana] = await addPeople(db, 1)
    return { kind: 'slow bodies', path: saveDiaryEntry.path, sockets: 510, cookie: ana!.cookie }
  },
  '520 readers of one diary of 6 MB who never read': async (db) => {
    const [ana] = await addPeople(db, 1)
    await fillDiary(db, ana!)
    return { kind: 'slow readers', path: getDiary.path, sockets: 520, cookie: ana!.cookie }
  },
  '40 visitors of a shelf of 10,000 stories of 200 passages': async (db) => {
    await fillShelf(db, 10_000, 200)
    return { kind: 'reads', paths: [listFinishedRooms.path], callers: 40 }
  },
  '40 readers with a session of the same shelf, with different pages and search words': async (db) => {
    await fillShelf(db, 10_000, 200)
    const [ana] = await addPeople(db, 1)
    const before = (n: number) =>
      `before=${new Date(Date.now() - n * 3_600_000).toISOString()}_00000000-0000-7000-8000-000000000001`
    const paths = Array.from(
      { length: 600 },
      (_, n) => `${listFinishedRooms.path}?${n % 2 ? before(n % 90) : `q=tale%20${n}`}`,
    )
    return { kind: 'reads', paths, callers: 40, cookie: ana!.cookie }
  },
}

loadFromOtherCore()
for (const [name, prepare] of Object.entries(attacks)) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue
  await withInstance(
    async ({ url, dataDir, memory }) => {
      const { attack, reader } = await withDatabase(dataDir, async (db) => ({
        attack: await prepare(db),
        reader: (await addPeople(db, 1))[0]!,
      }))
      await watchOthers(url, reader, () => wait(2000))
      const first = await attackFor(firstMs, '203.0.113.6')
      await watchOthers(url, reader, () => wait(2000))
      const atRest = memory()
      let peak = atRest
      const watch = setInterval(() => (peak = Math.max(peak, memory())), 50)
      const { took, saves, refused } = await attackFor(attackMs, '203.0.113.7')
      clearInterval(watch)
      const figures: Figure[] = [
        atMost('answers of other people meanwhile: p99', quantile(took, 0.99), 200, 'ms', 0),
        fact('saves of other people meanwhile: p99', `${quantile(saves, 0.99).toFixed(0)} ms`),
        fact('the slowest of them', `${Math.max(...took).toFixed(0)} ms`),
        fact('the slowest just after the start', `${Math.max(...first.took).toFixed(0)} ms`),
        atMost('other people refused', refused, 0, `of ${took.length + saves.length + refused}`, 0),
        fact(
          'memory of the server before and at its peak',
          `${inMegabytes(atRest)} and ${inMegabytes(peak)}`,
        ),
      ]
      printTable(name, figures)

      async function attackFor(forMs: number, address: string) {
        const attacker = fork('bench/attacker.ts')
        attacker.send({ url, attack, forMs, address } satisfies Order)
        const others = await watchOthers(url, reader, () => once(attacker, 'message'))
        attacker.kill()
        return others
      }
    },
    // Limits by address are on, and every caller has its own address.
    { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' },
  )
}

/** Other people read the feed and their account and save a day at fixed times, until `happens` has ended. */
async function watchOthers(url: string, { cookie }: Person, happens: () => Promise<unknown>) {
  const agent = new Agent({ keepAlive: true })
  const took: number[] = []
  const saves: number[] = []
  let refused = 0
  let count = 0
  const ask = async () => {
    const n = count++
    const headers = {
      cookie,
      'x-forwarded-for': `198.51.100.${n % 250}`,
      'content-type': 'application/json',
    }
    const start = performance.now()
    try {
      const isChange = n % 3 === 0
      const path = isChange ? saveDiaryEntry.path : n % 3 === 1 ? getMe.path : '/api/feed/day/2000'
      const call = request(url + path, { agent, headers, method: isChange ? 'POST' : 'GET' })
      call.end(isChange ? JSON.stringify({ date: '2025-06-11', content: `Rain ${n}` }) : undefined)
      const [response] = (await once(call, 'response')) as [IncomingMessage]
      await response.resume().toArray()
      const ms = performance.now() - start
      if (response.statusCode !== 200) refused++
      else if (isChange) saves.push(ms)
      else took.push(ms)
    } catch {
      refused++
    }
  }
  const asked: Promise<void>[] = []
  const timer = setInterval(() => asked.push(ask()), everyMs)
  await happens()
  clearInterval(timer)
  await Promise.all(asked)
  agent.destroy()
  return { took, saves, refused }
}

/** 200 posts of 50,000 characters today and 20 on each of 150 days before; answers the ids of 60 of today. */
async function fillFeed(db: Database): Promise<string[]> {
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select overlay(overlay(gen_random_uuid()::text placing '7' from 15) placing 'a' from 20)::uuid,
      left(repeat(md5(random()::text) || ' ', 1516), 50000), 'Ana Lima', 'standard', at, at, (at at time zone 'Europe/Berlin')::date, ''
    from generate_series(0, 3199) n,
      lateral (select app_now() - interval '1 day' * case when n < 200 then 0 else 1 + (n - 200) / 20 end as at) t`)
  await db.execute(sql`analyze posts`)
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from posts order by published_at desc limit 60`,
  )
  return rows.map(({ id }) => id)
}

async function fillDiary(db: Database, { id }: Person) {
  await db.execute(sql`
    insert into diary_entries (user_id, entry_date, content, size, updated_at)
    select ${id}, date '2016-01-01' + n, convert_to(left(repeat(md5(n::text) || ' ', 55), 1800), 'UTF8'), 1800, app_now()
    from generate_series(0, 3409) n`)
}

async function fillShelf(db: Database, stories: number, passages: number) {
  const people = await addPeople(db, 200)
  const ids = sql`${sql.param(people.map(({ id }) => id))}::text[]`
  const newIds = sql`overlay(overlay(gen_random_uuid()::text placing '7' from 15) placing 'a' from 20)::uuid`
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at, created_by_user_id, last_position, last_event)
    select ${newIds}, 'Tale ' || n, 'A story', true, 30, at - interval '30 minutes', at, (${ids})[n % 200 + 1], ${passages}::int, ${passages}::int
    from generate_series(1, ${stories}::int) n, lateral (select app_now() - interval '1 day' - n * interval '1 minute' as at) ended`)
  await db.execute(sql`
    insert into room_members (room_id, user_id, joined_at)
    select id, (${ids})[m], created_at from rooms, generate_series(1, 5) m`)
  await db.execute(sql`
    insert into room_messages (room_id, position, id, user_id, content, created_at, event)
    select id, p, ${newIds}, (${ids})[p % 5 + 1], 'It rained all night, and nobody slept.', created_at, p
    from rooms, generate_series(1, ${passages}::int) p`)
  // As the server stores it within a minute after the end of a room.
  await db.execute(
    sql`update rooms set counted_event = last_event, counted_members = 5, counted_contributors = 5`,
  )
  await db.execute(sql`vacuum analyze rooms, room_members, room_messages`)
}
