import { expect, test } from 'vitest'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { type AdminPost, changePostVisibility, generateContent } from '#contract/feed/review/endpoints.ts'
import { categoryOf } from '#contract/feed/categories.ts'
import { contentOf } from '#server/testing/content.ts'
import { auditedPosts, hide, show, startReview } from '#server/testing/reviewing.ts'

test('an admin generates posts, which stay hidden until the admin shows them [ADM-17 API-44 API-45 S46 S49]', async () => {
  const { db, boss, readFeed } = await startReview()
  const { posts: made } = await boss.does(generateContent, { input: {} })
  expect(made).toHaveLength(3)
  for (const post of made)
    expect(post).toMatchObject({ postType: 'generated', isVisible: false, authorId: boss.me.id })
  expect(new Set(made.map(({ content }) => content)).size).toBe(3)
  expect(await readFeed()).toEqual([])
  const lines = await auditedPosts(db)
  expect(new Set(lines.map(({ subjectId }) => subjectId))).toEqual(new Set(made.map(({ id }) => id)))
  for (const line of lines) expect(line).toMatchObject({ action: 'post-generation', actorId: boss.me.id })
  await boss.does(changePostVisibility, show(made[0]!.id))
  expect(await readFeed()).toEqual([made[0]!.content])
})

test('a generated post appears under the day when it is first shown, and keeps this day when it is hidden and shown again [ADM-17 API-44]', async () => {
  const { admin, boss, clock, readFeed, visitor } = await startReview()
  const { posts: made } = await boss.does(generateContent, { input: { count: 1 } })
  const [{ id, content, createdAt }] = made as [AdminPost]
  clock.set('2025-06-13T10:00:00Z')
  const chief = await admin()
  const shown = await chief.does(changePostVisibility, show(id))
  expect(shown).toMatchObject({ createdAt, publishedAt: expect.stringMatching(/^2025-06-13T10:00/) })
  expect(await readFeed()).toEqual([content])
  clock.set('2025-06-14T10:00:00Z')
  const other = await admin()
  await other.does(changePostVisibility, hide(id))
  expect(await other.does(changePostVisibility, show(id))).toEqual(shown)
  expect(await readFeed()).toEqual([])
  const yesterday = await visitor().does(getFeedDay, { params: { offset: '1' } })
  expect(yesterday.map((post) => post.content)).toEqual([content])
})

test.each(['Poetry', 'Fiction', 'Travel', 'Technology', 'Lifestyle', 'Memories'] as const)(
  '20 generated posts of the category %s belong to it, and contain no sign of a template [API-45]',
  async (category) => {
    const { boss } = await startReview()
    const { posts: made } = await boss.does(generateContent, { input: { count: 20, category } })
    expect(made).toHaveLength(20)
    for (const { content } of made) {
      expect([content, categoryOf(content)]).toEqual([content, category])
      expect(content).not.toMatch(/[{}|]/)
    }
  },
)

test.each([{ count: 0 }, { count: 21 }, { count: 1.5 }, { count: '3' }, { category: 'Sport' }])(
  'generating with %j is refused, and nothing is stored [API-45 S46]',
  async (input) => {
    const { db, boss } = await startReview()
    const before = await contentOf(db)
    expect(await boss.tries(generateContent, { input })).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(await contentOf(db)).toEqual(before)
  },
)
