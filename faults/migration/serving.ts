import { randomUUID } from 'node:crypto'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool, type ClientConfig } from 'pg'
import { connectClient } from '#server/platform/database/connection.ts'
import { migrate } from '#server/platform/database/migrate.ts'

const own = join(import.meta.dirname, '../../migrations')

/** The last migration of the previous version. Later migrations change posts and passages. */
const lastOfPrevious = 14
const people = 200
const rooms = 100

/** How the server of the previous version opens its pool. */
const poolOf = (connection: ClientConfig) =>
  new Pool({
    ...connection,
    max: 20,
    statement_timeout: 5000,
    query_timeout: 6000,
    connectionTimeoutMillis: 2000,
  })

/**
 * Migrates a database with so many posts and passages while the previous version runs statements. `meanwhile` is how
 * many of them were answered during the migration.
 */
export async function migrateWhileServing(
  connection: ClientConfig,
  { rows, folder }: { rows: number; folder: string },
) {
  await migrate(connection, await migrationsOfPrevious(folder))
  await fill(connection, rows)
  const pool = poolOf(connection)
  const serving = serve(pool)
  try {
    await serving.answered(100)
    const [start, before] = [performance.now(), serving.count()]
    await migrate(connection, own)
    const [migrationMs, meanwhile] = [performance.now() - start, serving.count() - before]
    await serving.answered(100)
    return { migrationMs, meanwhile, ...(await serving.finish()) }
  } finally {
    await pool.end()
  }
}

async function migrationsOfPrevious(folder: string): Promise<string> {
  await cp(own, folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { idx: number }[] }
  journal.entries = journal.entries.filter(({ idx }) => idx <= lastOfPrevious)
  await writeFile(path, JSON.stringify(journal))
  return folder
}

/** Half of the rows are published posts, the other half passages. */
async function fill(connection: ClientConfig, rows: number): Promise<void> {
  const client = await connectClient(connection, 'faults')
  try {
    for (const [statement, ...values] of [
      [
        `insert into users (id, first_name, username, created_at)
         select lpad(n::text, 10, '0'), 'Ana', 'ana' || n, now() from generate_series(1, $1::int) n`,
        people,
      ],
      [
        `insert into rooms (id, name, description, is_public, duration, expires_at, created_at, created_by_user_id)
         select ${uuidOf('n')}, 'Room', 'A story', true, 120, now() + interval '2 hours', now(), lpad('1', 10, '0')
         from generate_series(1, $1::int) n`,
        rooms,
      ],
      [
        `insert into room_members (room_id, user_id, joined_at)
         select ${uuidOf('n')}, lpad('1', 10, '0'), now() from generate_series(1, $1::int) n`,
        rooms,
      ],
      [
        `insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
         select gen_random_uuid(), repeat('A post. ', 20), 'Ana', lpad((1 + n % ${people})::text, 10, '0'), 'standard',
           at, at, at::date, n
         from (select n, now() - n * interval '1 minute' as at from generate_series(1, $1::int) n) posts`,
        Math.ceil(rows / 2),
      ],
      [
        `insert into room_messages (room_id, position, id, user_id, content, created_at, event)
         select ${uuidOf(`1 + n % ${rooms}`)}, 1 + n / ${rooms}, gen_random_uuid(), lpad((1 + n % ${people})::text, 10, '0'),
           repeat('A passage. ', 10), now(), 1 + n / ${rooms}
         from generate_series(0, $1::int - 1) n`,
        Math.ceil(rows / 2),
      ],
      [
        `update rooms set last_position = passages.last, last_event = passages.last
         from (select room_id, max(position) as last from room_messages where $1::int > 0 group by 1) passages
         where room_id = id`,
        1,
      ],
    ] as [string, number][])
      await client.query(statement, values)
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

const uuidOf = (n: string) => `('00000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`

/** The statements of the most frequent calls of the previous version, with the values of one call. */
const statements: (() => [string, unknown[]])[] = [
  () => [
    `insert into posts (id, content, author_name, author_id, post_type, is_visible, image_url, created_at, published_at,
       published_on, submitted_from, content_digest)
     values ($1, 'A new post.', 'Ana', lpad('1', 10, '0'), 'standard', true, null, app_now(), null, null, null, $2)
     returning created_at`,
    [randomUUID(), randomUUID()],
  ],
  () => [
    `update posts set published_at = app_now(), published_on = app_now()::date
     where id = (select id from posts where published_at is null order by created_at desc, id desc limit 1)`,
    [],
  ],
  () => [
    `select id, content, author_name from posts where published_on = current_date and is_visible
     order by published_on desc, sort_order desc, published_at desc, id desc limit 51`,
    [],
  ],
  () => [
    `with room as (update rooms set last_position = last_position + 1, last_event = last_event + 1, story_bytes = story_bytes + 210
       where id = $1 and app_now() < expires_at returning id, last_position, last_event)
     insert into room_messages (room_id, position, id, user_id, content, created_at, event)
     select id, last_position, $2, lpad('1', 10, '0'), 'A new passage.', app_now(), last_event from room returning position`,
    [
      `00000000-0000-7000-8000-${String(1 + Math.floor(Math.random() * rooms)).padStart(12, '0')}`,
      randomUUID(),
    ],
  ],
  () => [
    `select room_messages.id, content, user_id, first_name, position from room_messages
     left join users on users.id = user_id where room_id = $1 order by position desc limit 501`,
    ['00000000-0000-7000-8000-000000000001'],
  ],
  () => [`select id, first_name, username from users where id = lpad('1', 10, '0')`, []],
  () => [
    `insert into users (id, first_name, username, created_at) values (left($1::text, 10), 'Ben', $1::text, app_now())`,
    [randomUUID()],
  ],
]

/** More callers than the pool has connections. Each caller repeats one statement. */
function serve(pool: Pool) {
  const failures: string[] = []
  const times: number[] = []
  let isOver = false
  const callers = Array.from({ length: 28 }, async (_, number) => {
    const statement = statements[number % statements.length]!
    for (; !isOver; await delay(10)) {
      const start = performance.now()
      const [text, values] = statement()
      await pool.query(text, values).catch((error: unknown) => failures.push(String(error)))
      times.push(performance.now() - start)
    }
  })
  return {
    count: () => times.length,
    answered: async (more: number) => {
      const goal = times.length + more
      while (times.length < goal) await delay(10)
    },
    finish: async () => {
      isOver = true
      await Promise.all(callers)
      return { failures, times }
    },
  }
}
