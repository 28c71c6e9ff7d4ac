import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createDraft, deleteDraft, getDraft, saveDraft } from '#contract/drafts/endpoints.ts'
import { approvePost, listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import {
  changePost,
  deleteTakenBackPost,
  getOwnPost,
  getPostVersion,
  listOwnPostIds,
  listPostVersions,
  restorePost,
  takeBackPost,
} from '#contract/feed/own/endpoints.ts'
import { changePostVisibility, listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { postVersions } from './schema.ts'
import { hide, reason, startReview } from '#server/testing/reviewing.ts'
import { type Client, type Sent } from '#server/testing/test-app.ts'

export async function startChanges() {
  const t = await startReview()
  const { ana } = t
  const baseOf = async (id: string, by: Client = ana) =>
    (await by.does(getOwnPost, { params: { id } })).updatedAt
  const change = async (id: string, content: string, by: Client = ana) =>
    by.does(changePost, { params: { id }, input: { content, base: await baseOf(id, by) } })
  const publishAtOnce = async (content: string, by: Client = ana) =>
    (await by.does(submitPost, { input: { content, authorName: 'Nightingale', type: 'premium' } })).id
  const versionsOf = async (id: string, by: Client = ana) => {
    const listed = await by.does(listPostVersions, { params: { id } })
    const versions = listed.map(({ id: versionId }) => by.does(getPostVersion, { params: { id, versionId } }))
    return (await Promise.all(versions)).map(({ content, wasPublished }) => ({ content, wasPublished }))
  }
  return { ...t, baseOf, change, publishAtOnce, versionsOf }
}

test('readers keep the published text of a standard post until an admin approves its new version, which takes its place [LOOP-07]', async () => {
  const { ana, boss, visitor, publish, change, queue, readFeed, versionsOf, baseOf } = await startChanges()
  const id = await publish('A first text')
  const before = await visitor().does(getPost, { params: { id } })
  expect(await change(id, 'A second text')).toMatchObject({ id, status: 'pending' })
  expect(await visitor().does(getPost, { params: { id } })).toEqual(before)
  expect(await ana.does(listOwnPosts)).toMatchObject([
    { id, status: 'published', waitingVersion: { isVisible: true, decidedAt: null, reason: null } },
  ])
  const [version] = await boss.does(listPendingPosts)
  expect(version).toMatchObject({ replacesId: id, content: 'A second text', postType: 'standard' })

  const base = await baseOf(id)
  const approved = await boss.does(approvePost, { params: { id: version!.id } })
  const expected = {
    ...before,
    content: 'A second text',
    editedAt: expect.stringMatching(/^2025-06-10T12:00/),
  }
  expect(await visitor().does(getPost, { params: { id } })).toEqual(expected)
  expect(approved).toMatchObject({ id, content: 'A second text', publishedAt: before.publishedAt })
  expect(await queue()).toEqual([])
  expect(await readFeed()).toEqual(['A second text'])
  expect(await versionsOf(id)).toEqual([{ content: 'A first text', wasPublished: true }])
  // An approval changes no text of the author, who goes on from the same base.
  expect(await baseOf(id)).toBe(base)
})

test('an author reads why an admin set a new version aside, and nobody else does; a further edit waits without that reason [LOOP-07 LOOP-23]', async () => {
  const { ana, boss, person, visitor, publish, change, queue } = await startChanges()
  const id = await publish('A first text')
  const before = await visitor().does(getPost, { params: { id } })
  await change(id, 'A second text')
  const [version] = await queue()
  await boss.does(changePostVisibility, hide(version!, { reason, isWaiting: true }))
  const decidedAt = expect.stringMatching(/^2025-06-10T12:00/)
  const shown = { id, status: 'published', isVisible: true, reason: null }
  expect(await ana.does(listOwnPosts)).toMatchObject([
    { ...shown, waitingVersion: { isVisible: false, decidedAt, reason } },
  ])
  expect(await visitor().does(getPost, { params: { id } })).toEqual(before)
  expect(await (await person()).does(listOwnPosts)).toEqual([])
  await change(id, 'A third text')
  expect(await ana.does(listOwnPosts)).toMatchObject([
    { ...shown, waitingVersion: { isVisible: true, decidedAt: null, reason: null } },
  ])
})

test('a premium post, and a post of the acting admin, change at once [LOOP-07]', async () => {
  const { ana, boss, visitor, publishAtOnce, publish, change, readFeed, versionsOf } = await startChanges()
  const premium = await publishAtOnce('A first text')
  expect(await change(premium, 'A second text')).toMatchObject({ id: premium, status: 'published' })
  expect(await readFeed()).toEqual(['A second text'])
  expect(await visitor().does(getPost, { params: { id: premium } })).toMatchObject({
    editedAt: expect.stringMatching(/^2025-06-10T12:00/),
  })
  expect(await versionsOf(premium)).toEqual([{ content: 'A first text', wasPublished: true }])
  const own = await publish('News', boss)
  expect(await change(own, 'Other news', boss)).toMatchObject({ status: 'published' })
  expect(await readFeed()).toEqual(['Other news', 'A second text'])
  // The text of a hidden post is read by an admin before readers see it.
  await boss.does(changePostVisibility, hide(premium))
  expect(await change(premium, 'A third text')).toMatchObject({ status: 'pending' })
  expect(await ana.does(getOwnPost, { params: { id: premium } })).toMatchObject({
    content: 'A third text',
    hasWaitingVersion: true,
  })
})

test('a further edit replaces the waiting version, whose text stays with the author, and an admin cannot approve the text before it [LOOP-07 LOOP-09]', async () => {
  const { boss, publish, change, queue, readFeed, versionsOf } = await startChanges()
  const id = await publish('A first text')
  await change(id, 'A second text')
  const [read] = await queue()
  await change(id, 'A third text')
  expect(await boss.tries(approvePost, { params: { id: read! } })).toMatchObject({ status: 404 })
  expect(await readFeed()).toEqual(['A first text'])
  expect(await queue()).toHaveLength(1)
  expect(await queue()).not.toEqual([read])
  expect(await versionsOf(id)).toEqual([{ content: 'A second text', wasPublished: false }])
  // Back to the text that readers have: nothing waits any more.
  expect(await change(id, 'A first text')).toMatchObject({ id, status: 'published' })
  expect(await queue()).toEqual([])
})

test('a waiting post that its author edits gets another id, so an admin cannot approve a text that nobody has read [LOOP-07 LOOP-09]', async () => {
  const { db, clock, ana, boss, submit, change, queue, versionsOf } = await startChanges()
  const first = await submit('A first text')
  await change(first, 'A second text')
  const [second] = await queue()
  const [version] = await db.select().from(postVersions)
  clock.advance(60_000)
  const { id } = await change(second!, 'A third text')
  expect(await db.select().from(postVersions).where(eq(postVersions.id, version!.id))).toEqual([
    { ...version, postId: id },
  ])
  expect(await queue()).toEqual([id])
  for (const gone of [first, second!]) {
    expect(await boss.tries(approvePost, { params: { id: gone } })).toMatchObject({ status: 404 })
    expect(await ana.tries(getOwnPost, { params: { id: gone } })).toMatchObject({ status: 404 })
  }
  expect(await versionsOf(id)).toEqual([
    { content: 'A second text', wasPublished: false },
    { content: 'A first text', wasPublished: false },
  ])
})

test('an edit with an old base is refused with the text that is stored, and nothing changes; the same text again changes nothing [LOOP-07]', async () => {
  const { db, ana, publishAtOnce, baseOf, change } = await startChanges()
  const id = await publishAtOnce('A first text')
  const base = await baseOf(id)
  const { createdAt } = await change(id, 'A second text')
  expect(await baseOf(id)).toBe(createdAt)
  const before = await contentOf(db)
  const tries = (content: string) => ana.tries(changePost, { params: { id }, input: { content, base } })
  expect(await tries('A third text')).toMatchObject({
    status: 400,
    code: 'PostConflict',
    body: { current: { id, content: 'A second text', updatedAt: createdAt } },
  })
  expect(await tries('A second text')).toMatchObject({
    status: 201,
    body: { id, status: 'published', createdAt },
  })
  expect(await contentOf(db)).toEqual(before)
})

test('nobody but the author reads or changes an own post and its versions; a guest has none [LOOP-34]', async () => {
  const { db, boss, guest, person, publishAtOnce, submit, change, baseOf, ana } = await startChanges()
  const id = await publishAtOnce('A first text')
  await change(id, 'A second text')
  const [version] = await ana.does(listPostVersions, { params: { id } })
  const base = await baseOf(id)
  const before = await contentOf(db)
  for (const stranger of [await person(), boss]) {
    const input = { content: 'Taken over', base }
    expect(await stranger.tries(getOwnPost, { params: { id } })).toMatchObject({ code: 'PostNotFound' })
    expect(await stranger.tries(changePost, { params: { id }, input })).toMatchObject({
      code: 'PostNotFound',
    })
    expect(await stranger.tries(listPostVersions, { params: { id } })).toMatchObject({ code: 'PostNotFound' })
    const params = { id, versionId: version!.id }
    expect(await stranger.tries(getPostVersion, { params })).toMatchObject({ code: 'VersionNotFound' })
  }
  const { posts, post_versions } = await contentOf(db)
  expect({ posts, post_versions }).toEqual({ posts: before.posts, post_versions: before.post_versions })
  const someone = await guest()
  const own = await submit('By a guest', someone)
  expect(await someone.tries(getOwnPost, { params: { id: own } })).toMatchObject({ status: 403 })
})

test('each call about a post, a version, a taken-back post or a draft of another person answers as about a missing one, and changes nothing [LOOP-34]', async () => {
  const { db, ana, boss, person, publish, publishAtOnce, submit, change, queue } = await startChanges()
  const published = await publish('A letter')
  await change(published, 'A longer letter')
  const [newVersion] = await queue()
  const corrected = await publishAtOnce('A tyypo')
  await change(corrected, 'A typo')
  const [version] = await ana.does(listPostVersions, { params: { id: corrected } })
  const takenBack = await publishAtOnce('Too early')
  await ana.does(takeBackPost, { params: { id: takenBack } })
  const draft = await ana.does(createDraft, { input: { content: 'Begun' } })
  const theirs = [published, newVersion!, await submit('Waits'), corrected, takenBack, draft.id]
  const missing = '00000000-0000-7000-8000-000000000001'

  const callAll = async (who: Client, id: string, versionId: string) => {
    const params = { id }
    const input = { content: 'Taken over', base: draft.updatedAt }
    const answers = [
      await who.tries(getOwnPost, { params }),
      await who.tries(changePost, { params, input }),
      await who.tries(listPostVersions, { params }),
      await who.tries(getPostVersion, { params: { id, versionId } }),
      await who.tries(takeBackPost, { params }),
      await who.tries(restorePost, { params }),
      await who.tries(deleteTakenBackPost, { params }),
      await who.tries(getDraft, { params }),
      await who.tries(saveDraft, { params, input }),
      await who.tries(deleteDraft, { params }),
    ]
    return answers.map(({ status, code }) => [status, code])
  }
  const read = async () => {
    const { posts, post_versions, taken_back_posts, drafts } = await contentOf(db)
    return { posts, post_versions, taken_back_posts, drafts }
  }
  const strangers = [await person(), boss]
  const before = await read()
  for (const stranger of strangers) {
    const expected = await callAll(stranger, missing, missing)
    expect(expected.every(([status]) => status === 404)).toBe(true)
    for (const id of theirs) expect([id, await callAll(stranger, id, version!.id)]).toEqual([id, expected])
  }
  expect(await read()).toEqual(before)
  // An own post does not lead to the version of another person.
  const own = await publishAtOnce('Mine', strangers[0])
  const params = { id: own, versionId: version!.id }
  expect(await strangers[0]!.tries(getPostVersion, { params })).toMatchObject({ code: 'VersionNotFound' })
})

test('an author finds the own public posts by their ids, also those under a pen name, and nobody else does [LOOP-34]', async () => {
  const { ana, boss, visitor, publishAtOnce, submit } = await startChanges()
  const [first, hidden, second] = [
    await publishAtOnce('one'),
    await publishAtOnce('two'),
    await publishAtOnce('three'),
  ]
  await submit('waits')
  await boss.does(changePostVisibility, hide(hidden))
  expect(await ana.does(listOwnPostIds)).toEqual([second, first])
  expect(await boss.does(listOwnPostIds)).toEqual([])
  expect(await visitor().does(getPost, { params: { id: first } })).toMatchObject({ authorId: null })
})

test('an author chooses the category, the form and at most five tags; other choices are refused [LOOP-12 LOOP-04]', async () => {
  const { db, ana, visitor, baseOf } = await startChanges()
  const chosen = { category: 'Travel', tags: ['Lisbon', 'night trains'], form: 'prose' } as const
  const post = { content: 'A text', authorName: 'Nightingale', type: 'premium', ...chosen } as const
  const { id } = await ana.does(submitPost, { input: post })
  expect(await visitor().does(getPost, { params: { id } })).toMatchObject(chosen)
  const before = await contentOf(db)
  const base = await baseOf(id)
  const refused: NonNullable<Sent<typeof changePost>['input']>[] = [
    { tags: ['1', '2', '3', '4', '5', '6'] },
    { tags: ['Night', 'night'] },
    { tags: ['É', 'e\u0301'] },
    { tags: [' '] },
    { tags: ['two\nlines'] },
    { tags: ['x'.repeat(31)] },
    { category: 'Cooking' },
    { form: 'song' },
  ]
  for (const more of refused) {
    const input = { content: 'Another text', base, ...more }
    expect([more, await ana.tries(changePost, { params: { id }, input })]).toMatchObject([
      more,
      { status: 400, code: 'InvalidInput' },
    ])
  }
  expect(await contentOf(db)).toEqual(before)
  // Other choices are no other text: readers see no edit, and a choice that is left out stays.
  const input = { content: 'A text', base, category: null, tags: ['Lisbon'] }
  await ana.does(changePost, { params: { id }, input })
  expect(await visitor().does(getPost, { params: { id } })).toMatchObject({
    category: null,
    tags: ['Lisbon'],
    form: 'prose',
    editedAt: null,
  })
  expect(await ana.does(listPostVersions, { params: { id } })).toEqual([])
})

test('an author who changes only tags gets no version of a text that is still stored, and keeps each replaced text once [LOOP-09]', async () => {
  const { ana, publish, submit, change, baseOf, versionsOf } = await startChanges()
  const tag = async (id: string, content: string, tags: string[]) =>
    ana.does(changePost, { params: { id }, input: { content, tags, base: await baseOf(id) } })
  const { id: waiting } = await tag(await submit('A text'), 'A text', ['Lisbon'])
  expect(await versionsOf(waiting)).toEqual([])
  const { id: changed } = await change(waiting, 'Another text')
  expect(await versionsOf(changed)).toEqual([{ content: 'A text', wasPublished: false }])

  const id = await publish('A first text')
  await tag(id, 'A first text', ['Lisbon'])
  await change(id, 'A second text')
  expect(await versionsOf(id)).toEqual([])
  await tag(id, 'A second text', ['Porto'])
  expect(await versionsOf(id)).toEqual([])
  await tag(id, 'A first text', ['Porto'])
  await ana.does(takeBackPost, { params: { id }, query: { kind: 'unpublished' } })
  await ana.does(restorePost, { params: { id } })
  expect(await versionsOf(id)).toEqual([{ content: 'A second text', wasPublished: false }])
})

test('an author keeps the last fifty texts of a post, and 32 MiB of all posts; the oldest are forgotten [LOOP-09]', async () => {
  const { db, ana, publishAtOnce, versionsOf, change } = await startChanges()
  const [id, other] = [await publishAtOnce('text 0'), await publishAtOnce('another')]
  for (let n = 1; n <= 52; n++) await change(id, `text ${n}`)
  const kept = await versionsOf(id)
  expect([kept.length, kept[0]!.content, kept.at(-1)!.content]).toEqual([50, 'text 51', 'text 2'])
  await db.execute(sql`update post_versions set content = repeat('a', 1024 * 1024 - 4096)`)
  await change(other, 'another text')
  const { rows } = await db.execute(
    sql`select count(*)::int as count from post_versions where author_id = ${ana.me.id}`,
  )
  expect(rows).toEqual([{ count: 32 }])
  expect(await versionsOf(other)).toEqual([{ content: 'another', wasPublished: true }])
})
