import { expect, test } from 'vitest'
import { startWorld } from './world.ts'
import { contentOf, insertionsOf } from './content.ts'
import { startTestApp } from './test-app.ts'

test('an app that gets the rows of another database has the same content', async () => {
  const { db } = await startWorld({ config: {} })
  const content = await contentOf(db)
  expect(Object.values(content).filter((rows) => rows.length > 0).length).toBeGreaterThan(10)
  const other = await startTestApp({ rows: await insertionsOf(db) })
  expect(await contentOf(other.db)).toEqual(content)
})
