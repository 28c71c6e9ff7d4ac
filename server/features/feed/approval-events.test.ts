import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { approvePost, approvePosts, submitPost } from '#contract/feed/endpoints.ts'
import { inboxEvents } from '#server/features/inbox/schema.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

async function start() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, boss] = [await t.person(), await t.person(), await t.admin()]
  const submit = async (by: Client, content: string) =>
    (await by.does(submitPost, { input: { content, authorName: 'Nightingale' } })).id
  const open = (who: Client, after?: string) =>
    openStream(t.app, who, { inbox: who.me.id, ...(after !== undefined && { after }) })
  return { ...t, ana, ben, boss, submit, open }
}

test('an author whose post an admin approves is notified on every device, also on one that was away; nobody else is [NOTE-11 R9]', async () => {
  const { ana, ben, boss, submit, open } = await start()
  const away = await open(ana)
  await boss.does(approvePost, { params: { id: await submit(ana, 'The first') } })
  await away.receives('post.approved')
  const { lastId } = away
  away.close()
  const [device, other] = [await open(ana), await open(ben)]
  const id = await submit(ana, `The rain began at four.\n${'x'.repeat(500)}`)
  const { publishedAt } = await boss.does(approvePost, { params: { id } })
  const back = await open(ana, lastId)
  for (const each of [device, back]) {
    await each.receives('post.approved')
    expect(each.all('post.approved')).toEqual([
      { id, beginning: `The rain began at four.\n${'x'.repeat(176)}`, publishedAt, count: 1 },
    ])
  }
  await boss.does(approvePost, { params: { id: await submit(ben, 'By Ben') } })
  expect(await other.receives('post.approved')).toMatchObject({ beginning: 'By Ben' })
  expect(other.all('post.approved')).toHaveLength(1)
  expect(device.all('post.approved')).toHaveLength(1)
})

test('an author with several posts in one approval is notified once, with their number [NOTE-11]', async () => {
  const { ana, ben, boss, guest, visitor, submit, open } = await start()
  const readers = [await open(ana), await open(ben)]
  const ids = [
    await submit(ana, 'one'),
    await submit(ben, 'two'),
    await submit(ana, 'three'),
    await submit(await guest(), 'of a guest'),
    await submit(visitor(), 'of a visitor'),
  ]
  await boss.does(approvePosts, { input: { postIds: ids } })
  expect(await readers[0]!.receives('post.approved')).toMatchObject({ count: 2 })
  expect(await readers[1]!.receives('post.approved')).toMatchObject({ id: ids[1], count: 1 })
})

test('a post that is approved again, a refused approval and an own post of the admin notify nobody [NOTE-11]', async () => {
  const { ana, boss, db, submit } = await start()
  const id = await submit(ana, 'Once')
  await boss.does(approvePost, { params: { id } })
  await boss.does(approvePost, { params: { id } })
  const waiting = await submit(ana, 'Waits')
  const unknown = '00000000-0000-7000-8000-000000000001'
  await boss.tries(approvePosts, { input: { postIds: [waiting, unknown] } })
  await boss.does(approvePost, { params: { id: await submit(boss, 'By the admin') } })
  const stored = await db.select().from(inboxEvents)
  expect(stored).toMatchObject([{ userId: ana.me.id, name: 'post.approved' }])
})

test('an author who deletes the account while an admin approves the post leaves no event, and both calls succeed [NOTE-11 S15]', async () => {
  const { boss, person, db, submit } = await start()
  for (let i = 0; i < 10; i++) {
    const author = await person()
    const postIds = [await submit(author, `one ${i}`), await submit(author, `two ${i}`)]
    const [approval, deletion] = await Promise.all([
      boss.tries(approvePosts, { input: { postIds } }),
      delay(i).then(() => author.tries(deleteAccount)),
    ])
    // The deletion may come first and delete the waiting posts.
    expect([200, 400]).toContain(approval.status)
    expect(deletion.status).toBe(200)
  }
  expect(await db.select().from(inboxEvents)).toEqual([])
})
