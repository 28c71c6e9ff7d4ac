import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword } from '#contract/account/endpoints.ts'
import { getPushDevice, savePushDevice } from '#contract/push/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { startPushService } from '#server/testing/push-service.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { queuePush } from './index.ts'
import { removePush, setSent, takePushes, type TakenPush } from './queries.ts'
import { pushDevices, pushes } from './schema.ts'

const outcomes: [string, (tx: Db, push: TakenPush) => Promise<unknown>, number][] = [
  ['was sent', setSent, 1],
  ['has no device any more', (tx, push) => removePush(tx, push, true), 0],
]

// The removal of a device locks the device, and then its pushes.
test.each(outcomes)(
  'a push that %s locks its device before itself, so that nothing deadlocks while the person removes the device [REACH-07 R6]',
  async (_outcome, end, devices) => {
    const { db, person } = await startTestApp()
    const ana = await person()
    await ana.does(savePushDevice, { input: (await startPushService()).subscribe() })
    const turn = { kind: 'turn', title: 'Your turn', path: '/zimmers', topic: 'room 1' }
    // The server sends a push that it finds.
    const [push] = await db.transaction(async (tx) => {
      await queuePush(tx, ana.me.id, turn)
      return takePushes(tx, 1)
    })
    const release = await holdLocks(db, sql`select 1 from push_devices for update`)
    const ending = db.transaction((tx) => end(tx, push!))
    await untilLockWaits(db)
    const unlocked = await db.execute(sql`select 1 from pushes for update skip locked`)
    await release()
    await ending
    expect(unlocked.rowCount).toBe(1)
    expect([await db.$count(pushes), await db.$count(pushDevices)]).toEqual([0, devices])
  },
)

test('a device that is saved while a new passcode gives its session another token stays [REACH-07 S14]', async () => {
  const t = await startTestApp()
  const ana = await t.person({ password: 'a first password' })
  await ana.does(savePushDevice, { input: (await startPushService()).subscribe() })
  const [saved] = await t.db.select().from(pushDevices)
  await t.db.delete(pushDevices)
  // As `saveDevice` does it: the session first, and then its device.
  const release = await holdLocks(
    t.db,
    sql`with session as (select token_hash from sessions for no key update)
      insert into push_devices (id, user_id, session_hash, endpoint, p256dh, auth, created_at)
      select ${saved!.id}::uuid, ${ana.me.id}, token_hash, ${saved!.endpoint}, ${saved!.p256dh}, ${saved!.auth}, app_now() from session`,
  )
  const changing = ana.does(changePassword, { input: { newPassword: 'a second password' } })
  await untilLockWaits(t.db)
  await release()
  await changing
  expect((await ana.does(getPushDevice)).endpoint).toBe(saved!.endpoint)
})
