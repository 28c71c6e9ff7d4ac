import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Db } from '#server/platform/database/pool.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { avoidPlans } from './avoid-plans.ts'

test('a transaction avoids sorts without machine code for its plans, and a later statement may sort again', async () => {
  const { db } = await startTestApp()
  const settings = async (of: Db) =>
    (await of.execute(sql`select current_setting('enable_sort') as sort, current_setting('jit') as jit`))
      .rows[0]
  const within = await db.transaction(async (tx) => {
    await avoidPlans(tx, 'sort')
    return settings(tx)
  })
  expect(within).toEqual({ sort: 'off', jit: 'off' })
  expect(await settings(db)).toMatchObject({ sort: 'on' })
})
