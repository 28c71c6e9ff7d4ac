import { expect, test } from 'vitest'
import { listAdminComments, listAdminUsers } from '#contract/admin/endpoints.ts'
import { approvePosts, submitPost } from '#contract/feed/endpoints.ts'
import { startTestApp } from '#server/testing/test-app.ts'

test('an admin sees who is registered, with their posts and comments counted, and no guests [ACC-02 API-36]', async () => {
  const { admin, guest, person, clock } = await startTestApp()
  const boss = await admin()
  clock.advance(1000)
  const ana = await person()
  await guest()
  const ids = []
  for (const content of ['One', 'Two']) {
    const { id } = await ana.does(submitPost, { input: { content, authorName: 'Ana' } })
    ids.push(id)
  }
  await boss.does(approvePosts, { input: { postIds: ids } })
  const listed = await boss.does(listAdminUsers)
  expect(listed).toEqual([
    { ...ana.me, postCount: 2, commentCount: 0, suspension: null },
    { ...boss.me, isAdmin: true, postCount: 0, commentCount: 0, suspension: null },
  ])
})

test('people beyond a page come with the next one, each once [S30]', async () => {
  const { admin, person, clock } = await startTestApp()
  const boss = await admin()
  for (let i = 0; i < 4; i++) {
    clock.advance(1000)
    await person()
  }
  const seen: string[] = []
  let before: string | undefined
  do {
    const answer = await boss.tries(listAdminUsers, {
      query: { limit: '2', ...(before !== undefined && { before }) },
    })
    seen.push(...(answer.body as { id: string }[]).map(({ id }) => id))
    before = answer.headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(seen).toEqual((await boss.does(listAdminUsers)).map(({ id }) => id))
  expect(seen).toHaveLength(5)
})

test('a cursor that no answer gave is refused [S30]', async () => {
  const boss = await (await startTestApp()).admin()
  expect(await boss.tries(listAdminUsers, { query: { before: '2025-06-10_x' } })).toMatchObject({
    status: 400,
    code: 'InvalidInput',
  })
})

test('the list of comments is empty, as comments stay in their browsers [ART-11 API-40]', async () => {
  const boss = await (await startTestApp()).admin()
  expect(await boss.does(listAdminComments)).toEqual([])
})
