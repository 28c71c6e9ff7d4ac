import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { trendingOf } from '#contract/feed/trending.ts'

const aPost = (changes: Partial<Parameters<typeof trendingOf>[0][number]> = {}) => ({
  content: 'x'.repeat(101),
  imageUrl: null as string | null,
  publishedAt: '2025-06-10T12:00:00.000Z' as string | null,
  createdAt: '2025-06-01T12:00:00.000Z',
  ...changes,
})
const at = (minute: number) => `2025-06-10T12:${String(minute).padStart(2, '0')}:00.000Z`

test('up to 8 posts are trending, the newest ones of the loaded posts [FEED-20 FEED-25]', () => {
  const posts = Array.from({ length: 12 }, (_, minute) => aPost({ publishedAt: at(minute) }))
  expect(trendingOf(posts)).toEqual(posts.toReversed().slice(0, 8))
  expect(trendingOf(posts.slice(0, 3))).toHaveLength(3)
  expect(trendingOf([])).toEqual([])
})

test.each([
  [100, null, false],
  [101, null, true],
  [0, '/uploads/lamp.png', true],
  [100, '/uploads/lamp.png', true],
])('a post of %i characters with the image %s is trending: %s [FEED-21]', (length, imageUrl, trending) => {
  expect(trendingOf([aPost({ content: 'é'.repeat(length), imageUrl })])).toHaveLength(trending ? 1 : 0)
  expect(trendingOf([aPost({ content: '😀'.repeat(length), imageUrl })])).toHaveLength(trending ? 1 : 0)
})

test('trending posts are ordered newest first by the time they were published [FEED-22]', () => {
  const old = aPost({ publishedAt: at(1), createdAt: at(50) })
  const waiting = aPost({ publishedAt: null, createdAt: at(2) })
  const fresh = aPost({ publishedAt: at(3), createdAt: at(0) })
  expect(trendingOf([old, fresh, waiting])).toEqual([fresh, waiting, old])
})

test('trending posts are never more than 8, never short without an image, never out of order [FEED-20 FEED-21 FEED-22]', () => {
  const post = fc
    .record({ minute: fc.nat(59), length: fc.integer({ min: 90, max: 110 }), hasImage: fc.boolean() })
    .map(({ minute, length, hasImage }) =>
      aPost({
        publishedAt: at(minute),
        content: 'x'.repeat(length),
        imageUrl: hasImage ? '/uploads/a.png' : null,
      }),
    )
  fc.assert(
    fc.property(fc.array(post, { maxLength: 40 }), (posts) => {
      const before = structuredClone(posts)
      const trending = trendingOf(posts)
      const fitting = posts.filter((each) => each.content.length > 100 || each.imageUrl)
      expect(trending).toHaveLength(Math.min(8, fitting.length))
      const times = trending.map((each) => each.publishedAt)
      expect(times).toEqual(
        fitting
          .map((each) => each.publishedAt)
          .toSorted()
          .toReversed()
          .slice(0, 8),
      )
      expect(posts).toEqual(before)
    }),
  )
})
