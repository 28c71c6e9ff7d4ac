import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { contentOf } from '#server/testing/content.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { queuePush } from './queue.ts'
import { pushes } from './schema.ts'

const turn = { kind: 'turn', title: 'It is your turn in a room', path: '/zimmers', topic: 'room 1' }

async function start() {
  const t = await startTestApp()
  const [ana, ben] = [await t.person(), await t.person()]
  await t.db.execute(sql`
    insert into push_devices (id, user_id, session_hash, endpoint, p256dh, auth, created_at)
    select gen_random_uuid(), user_id, token_hash, 'https://push.example/1', '', '', app_now()
    from sessions where user_id = ${ana.me.id}`)
  return { ...t, ana: ana.me.id, ben: ben.me.id }
}

test('a push is queued for a person with a device, and a newer one with its topic takes its place [REACH-07]', async () => {
  const { db, ana } = await start()
  expect(await queuePush(db, ana, turn)).toBe(true)
  expect(await queuePush(db, ana, { ...turn, topic: 'room 2' })).toBe(true)
  expect(await queuePush(db, ana, { ...turn, title: 'A room has ended' })).toBe(true)
  const waiting = await db.select().from(pushes).orderBy(pushes.topic)
  expect(waiting).toMatchObject([{ ...turn, title: 'A room has ended' }, { topic: 'room 2' }])
})

test('nothing is queued for a person without a device, nor when the change of the cause is undone [REACH-07 R28]', async () => {
  const { db, ana, ben } = await start()
  const before = await contentOf(db)
  expect(await queuePush(db, ben, turn)).toBe(false)
  const undone = db.transaction(async (tx) => {
    await queuePush(tx, ana, turn)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await contentOf(db)).toEqual(before)
})

test.each(['https://example.org/', '//example.org/', 'zimmers'])(
  'a push that would open %s is refused [REACH-07]',
  async (path) => {
    const { db, ana } = await start()
    await expect(queuePush(db, ana, { ...turn, path })).rejects.toThrow('no push')
  },
)
