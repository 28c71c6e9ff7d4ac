import { expect, test, vi } from 'vitest'
import { getConfig } from '#contract/app/endpoints.ts'
import { createPost, submitPost } from '#contract/feed/endpoints.ts'
import { startTestApp } from '#server/testing/test-app.ts'

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
