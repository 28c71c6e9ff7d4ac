import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { getConfig } from '#contract/app/endpoints.ts'
import { createPost, submitPost } from '#contract/feed/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { systemClock } from '#server/platform/clock.ts'
import { openDatabase } from '#server/platform/database/pool.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { watchForPosts } from './has-posts.ts'

test('a visitor learns that an instance is empty until its first post is published, and a waiting or hidden post does not count [LOOP-33]', async () => {
  const t = await startTestApp()
  const input = { content: 'The lamp burns.', authorName: 'Ana' }
  const isEmpty = async () => !(await t.visitor().does(getConfig)).hasPosts
  await (await t.person()).does(submitPost, { input })
  const boss = await t.admin()
  await boss.does(createPost, { input: { ...input, isVisible: false } })
  expect(await isEmpty()).toBe(true)
  await boss.does(createPost, { input })
  await vi.waitFor(async () => expect(await isEmpty()).toBe(false))
})

test('the log of an instance without posts names no failed look for the first post while the database is unavailable [R15]', async () => {
  const { db } = await startTestApp()
  const own = openDatabase({ connection: db.connection, clock: systemClock })
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line) => void lines.push(line) } } })
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const hasPosts = await watchForPosts({ database: own, events: new DomainEvents(), app })
  await own.close()
  const look = vi.spyOn(own, 'select')
  await vi.advanceTimersByTimeAsync(5000)
  await app.close()
  expect(look).toHaveBeenCalled()
  expect([hasPosts(), lines]).toEqual([false, []])
})
