import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { approvePost } from '#contract/feed/endpoints.ts'
import {
  changePostsVisibility,
  changePostVisibility,
  listAdminPosts,
  listOwnPosts,
} from '#contract/feed/review/endpoints.ts'
import { inboxEvents } from '#server/features/inbox/schema.ts'
import { contentOf } from '#server/testing/content.ts'
import { hide, reason, show, startReview } from '#server/testing/reviewing.ts'
import { openStream } from '#server/testing/stream-client.ts'

test('an author reads the reason of a decision; no other person, and no answer for everybody, contains it [S1 S5]', async () => {
  const { ana, boss, person, visitor, submit, publish } = await startReview()
  const ben = await person()
  const published = await submit('Published with a remark')
  await boss.does(approvePost, { params: { id: published }, input: { reason } })
  const set = await submit('Set aside')
  await boss.does(changePostsVisibility, { input: { postIds: [set], isVisible: false, reason } })
  await publish('By Ben', ben)
  expect(await ana.does(listOwnPosts)).toEqual([
    {
      id: set,
      beginning: 'Set aside',
      wordCount: 2,
      authorName: 'Nightingale',
      postType: 'standard',
      createdAt: expect.stringMatching(/^2025-06-10T12:00/),
      publishedAt: null,
      editedAt: null,
      waitingVersion: null,
      isVisible: false,
      status: 'pending',
      decidedAt: expect.stringMatching(/^2025-06-10T12:00/),
      reason,
    },
    expect.objectContaining({ id: published, status: 'published', isVisible: true, reason }),
  ])
  expect(await ben.does(listOwnPosts)).toMatchObject([{ beginning: 'By Ben', reason: null }])
  const open = await Promise.all(
    ['/api/feed/day/0', `/api/posts/${published}`, `/posts/${published}`].map((url) =>
      visitor().request({ method: 'GET', url }),
    ),
  )
  for (const { body } of open) expect(body).not.toContain('leave the name out')
})

test('a guest reads the own waiting posts, and a visitor has none [S16]', async () => {
  const { guest, visitor, submit } = await startReview()
  const someone = await guest()
  await submit('By a guest', someone)
  expect(await someone.does(listOwnPosts)).toMatchObject([{ beginning: 'By a guest', status: 'pending' }])
  expect(await visitor().tries(listOwnPosts)).toMatchObject({ status: 401 })
})

test('an author reads the own posts in pages, newest first, each once [S30]', async () => {
  const { ana, submit } = await startReview()
  for (const content of ['one', 'two', 'three']) await submit(content)
  const first = await ana.tries(listOwnPosts, { query: { limit: '2' } })
  const before = first.headers['next-before'] as string
  const second = await ana.does(listOwnPosts, { query: { limit: '2', before } })
  const read = [...(first.body as { beginning: string }[]), ...second].map(({ beginning }) => beginning)
  expect(read).toEqual(['three', 'two', 'one'])
})

test('the reason of a decision is deleted with the account of the author [S15]', async () => {
  const { db, ana, boss, publish } = await startReview()
  const id = await publish('A letter')
  await boss.does(changePostVisibility, hide(id, { reason }))
  await ana.does(deleteAccount)
  expect(await boss.does(listAdminPosts)).toMatchObject([{ id, authorName: 'Deleted user', reason: null }])
  expect(JSON.stringify((await contentOf(db))['posts'])).not.toContain('neighbour')
})

test('an author whose post is hidden or shown again is notified on every device, without the reason [NOTE-11 R9]', async () => {
  const { app, ana, boss, db, publish } = await startReview()
  const id = await publish('The rain began at four.')
  const device = await openStream(app, ana, { inbox: ana.me.id })
  await boss.does(changePostVisibility, hide(id, { reason }))
  const content = {
    id,
    beginning: 'The rain began at four.',
    status: 'published',
    hasReason: true,
    decidedAt: expect.any(String),
    count: 1,
  }
  expect(await device.receives('post.hidden')).toEqual(content)
  await boss.does(changePostVisibility, show(id))
  expect(await device.receives('post.shown')).toEqual({ ...content, hasReason: false })
  expect(JSON.stringify(await db.select().from(inboxEvents))).not.toContain('neighbour')
  // An admin needs no notification about the own post.
  await boss.does(changePostVisibility, hide(await publish('Own', boss)))
  expect(await db.select().from(inboxEvents).where(eq(inboxEvents.userId, boss.me.id))).toEqual([])
})

test('an author is notified that a waiting post was set aside and waits again, also on a device that asks after the approval [NOTE-11 ADM-18]', async () => {
  const { app, ana, boss, submit, publish } = await startReview()
  const waiting = await submit('A letter')
  const published = await publish('A poem')
  const inbox = ana.me.id
  const device = await openStream(app, ana, { inbox })
  const after = device.lastId
  await boss.does(changePostVisibility, hide(waiting, { isWaiting: true }))
  await boss.does(changePostVisibility, show(waiting))
  await boss.does(approvePost, { params: { id: waiting } })
  const later = await openStream(app, ana, { inbox, after })
  const event = { id: waiting, beginning: 'A letter', status: 'pending', hasReason: false, count: 1 }
  for (const stream of [device, later]) {
    expect(await stream.receives('post.hidden')).toMatchObject(event)
    expect(await stream.receives('post.shown')).toMatchObject(event)
  }
  // Of posts in both states the author is told about the published one.
  const next = await submit('Another letter')
  const postIds = [next, published]
  await boss.does(changePostsVisibility, { input: { postIds, isVisible: false, reason } })
  const both = { status: 'published', hasReason: true, count: 1 }
  expect(await device.receives('post.hidden', ({ id }) => id === published)).toMatchObject(both)
})
