import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { collectGarbage } from '#server/testing/loop-turns.ts'
import { startTestApp } from '#server/testing/test-app.ts'

const megabyte = 1024 * 1024

/** Bytes that the process holds on to: texts are on the heap, finished answers in buffers. */
async function heldBytes() {
  // Objects that own buffers are finalized between two collections.
  for (let round = 0; round < 3; round++) {
    collectGarbage()
    await setImmediate()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

test('requests for every day, article, preview picture and story in every encoding keep the cache within its bound [R16 R24]', async () => {
  const keptBytes = 4 * megabyte
  const { request, visitor, db } = await startTestApp({
    config: { limitsRates: false },
    memory: 10 * keptBytes,
  })
  // 12 days of 200 posts of 3,000 letters: 7 MB.
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, is_visible, created_at, published_at, published_on, content_digest)
    select ('00000000-0000-7000-a000-' || lpad((day * 200 + n)::text, 12, '0'))::uuid, text, 'Ana', 'admin', true, at, at, at::date, md5(text)
    from generate_series(0, 11) day, generate_series(1, 200) n,
      lateral (select timestamptz '2025-06-10 10:00Z' - day * interval '1 day' as at) moment,
      lateral (select repeat(md5(day || '-' || n), 94) as text) content`)
  // 200 articles of 24,000 letters, on a day that nobody asks for.
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, is_visible, created_at, published_at, published_on, content_digest)
    select ('00000000-0000-7000-a001-' || lpad(n::text, 12, '0'))::uuid, text, 'Ana', 'admin', true, at, at, at::date, md5(text)
    from generate_series(1, 200) n,
      lateral (select timestamptz '2025-05-10 10:00Z' as at) moment,
      lateral (select repeat(md5('long-' || n), 750) as text) content`)
  // 4 stories of 400 passages, 1.2 MB each.
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at, last_position, last_event)
    select ('00000000-0000-7000-b000-' || lpad(n::text, 12, '0'))::uuid, 'Story', 'd', true, 30,
      timestamptz '2025-06-09 10:00Z', timestamptz '2025-06-09 10:30Z', 400, 400
    from generate_series(1, 4) n`)
  await db.execute(sql`
    insert into room_messages (room_id, position, id, user_id, content, created_at, event)
    select rooms.id, n, gen_random_uuid(), null, text, rooms.created_at, n
    from rooms, generate_series(1, 400) n,
      lateral (select repeat(md5(rooms.id || '-' || n), 94) as text) content`)

  const get = async (url: string, encoding = 'identity') => {
    const answer = await request({ url, headers: { 'accept-encoding': encoding } })
    expect([url, answer.statusCode]).toEqual([url, 200])
  }
  const askForAll = async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      for (let offset = 0; offset < 12; offset++) await get(`/api/feed/day/${offset}`, encoding)
      for (let n = 1; n <= 60; n++)
        await get(`/posts/00000000-0000-7000-a000-${String(n).padStart(12, '0')}`, encoding)
      for (const page of ['/', '/dashboard', '/diary', '/about']) await get(page, encoding)
    }
    for (let n = 1; n <= 200; n++) await get(`/posts/00000000-0000-7000-a001-${String(n).padStart(12, '0')}`)
    for (let n = 1; n <= 60; n++)
      await get(`/preview/posts/00000000-0000-7000-a000-${String(n).padStart(12, '0')}.png`)
    for (let n = 1; n <= 4; n++)
      for (const format of ['epub', 'md', 'txt'])
        await get(`/api/zimmers/00000000-0000-7000-b000-${String(n).padStart(12, '0')}/story.${format}`)
  }

  await get('/')
  const before = await heldBytes()
  await askForAll()
  const after = await heldBytes()
  await askForAll()
  const again = await heldBytes()
  const grown = [after - before, again - before].map((bytes) => Math.round(bytes / megabyte))
  for (const megabytes of grown) expect(megabytes).toBeLessThan(keptBytes / megabyte + 4)
  // What was kept is not lost to what was asked for once.
  expect((await visitor().request({ url: '/api/feed/day/0' })).json()).toHaveLength(200)
}, 120_000)
