import { expect, test } from 'vitest'
import { restoredCopyOf } from '#server/testing/backup-places.ts'
import { countWaiting, startFriendsWithMail } from '#server/testing/away-notifications.ts'

test('after a restore nobody is told of what waited before, which may have been told since [REACH-08 R19]', async () => {
  const t = await startFriendsWithMail()
  await t.writes(t.ana, t.ben, 'hello')
  const { database } = await restoredCopyOf(t)
  expect(await countWaiting(database)).toBe(0)
  // The instance that goes on still tells the person.
  expect(await countWaiting(t.db)).toBe(1)
  t.wait()
  await t.relay.mailTo('ben@example.org', 'Ana Lima')
})
