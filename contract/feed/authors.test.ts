import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Creator } from '#contract/creators/creator.ts'
import type { Category } from '#contract/feed/categories.ts'
import { type AuthoredPost, authorIdOf, authorsOf, summaryOfCreator } from '#contract/feed/authors.ts'

let posts = 0
const aPost = (changes: Partial<AuthoredPost> = {}): AuthoredPost => ({
  id: `post-${++posts}`,
  content: 'A poem.',
  category: null,
  authorName: 'Ana Lima',
  authorId: 'k7q2m4xp3d',
  authorHasPage: false,
  imageUrl: null,
  createdAt: '2025-06-10T08:00:00.000Z',
  publishedAt: '2025-06-10T09:00:00.000Z',
  ...changes,
})

const nadia: Creator = {
  id: 'creator-nadia',
  name: 'Nadia',
  artistName: 'The Night Desk',
  description: 'Ghost stories, one chapter a night.',
  genre: 'Fiction',
  profileImage: null,
  coverPattern: 'arcs',
  colorScheme: { primary: '#111111', secondary: '#222222', accent: '#333333', background: '#444444' },
  tags: [],
  keywords: ['ghost', 'legend'],
  contentTypes: ['stories'],
  likes: 10,
  followers: 1200,
  isFollowing: true,
  isVerified: false,
  category: 'more',
  joinedAt: '2024-01-01',
  firstLetter: 'N',
}

test('an author of loaded posts has every field of a creator card [FEED-26]', () => {
  const older = aPost({ imageUrl: '/uploads/old.png', publishedAt: '2025-06-08T09:00:00.000Z' })
  const newer = aPost({ content: 'Two poems about a train.', authorName: 'Ana M. Lima' })
  expect(authorsOf([older, newer])).toEqual([
    {
      id: 'k7q2m4xp3d',
      name: 'Ana M. Lima',
      genre: 'Poetry',
      profileImage: null,
      coverImage: '/uploads/old.png',
      isFollowing: false,
      followers: 0,
      followerCount: 0,
      followingCount: 0,
      postCount: 2,
      username: null,
      bio: '',
      category: 'Poetry',
      isArtist: false,
      hasPage: false,
      recentPosts: [newer, older],
    },
  ])
})

test('a sample creator has every field of a creator card too [FEED-26]', () => {
  expect(summaryOfCreator(nadia)).toEqual({
    id: 'creator-nadia',
    name: 'Nadia',
    genre: 'Fiction',
    profileImage: null,
    coverImage: null,
    isFollowing: true,
    followers: 1200,
    followerCount: 1200,
    followingCount: 0,
    postCount: 0,
    username: null,
    bio: 'Ghost stories, one chapter a night.',
    category: 'Fiction',
    isArtist: true,
  })
})

test('the genre of an author is the category that the author chose most often, the newest on a tie [FEED-26 LOOP-12]', () => {
  const chose = (category: Category | null, day: number) =>
    aPost({ category, content: 'A train and a ticket.', publishedAt: `2025-06-0${day}T09:00:00.000Z` })
  const genreOf = (...written: AuthoredPost[]) => authorsOf(written)[0]!.genre
  expect(genreOf(chose('Memories', 1), chose('Poetry', 2), chose('Memories', 3), chose(null, 4))).toBe(
    'Memories',
  )
  expect(genreOf(chose('Memories', 1), chose('Poetry', 2))).toBe('Poetry')
  expect(genreOf(chose(null, 1))).toBe('Travel')
})

test('the genre of an author is the category with the most keywords in all posts of the author [FEED-29]', () => {
  const contents = ['a poem', 'train and harbour', 'island']
  expect(authorsOf(contents.map((content) => aPost({ content })))[0]).toMatchObject({
    genre: 'Travel',
    category: 'Travel',
  })
  expect(authorsOf([aPost({ content: 'nothing' })])[0]?.genre).toBe('Lifestyle')
})

test('the recent posts of an author are the last three [SHELL-66]', () => {
  const written = [3, 1, 4, 2].map((day) => aPost({ publishedAt: `2025-06-0${day}T09:00:00.000Z` }))
  const [author] = authorsOf(written)
  expect(author?.recentPosts).toEqual([written[2], written[0], written[3]])
  expect(author?.postCount).toBe(4)
})

test('authors without an account are distinguished by name, and deleted people are left out [FEED-25]', () => {
  const authors = authorsOf([
    aPost(),
    aPost({ authorId: null, authorName: 'Ana Lima' }),
    aPost({ authorId: null, authorName: ' ana lima ' }),
    aPost({ authorId: null, authorName: 'Ben' }),
    aPost({ authorId: null, authorName: 'Deleted user' }),
  ])
  expect(authors.map(({ id, name, postCount }) => [id, name, postCount])).toEqual([
    ['k7q2m4xp3d', 'Ana Lima', 1],
    ['name:ana lima', 'Ana Lima', 2],
    ['name:ben', 'Ben', 1],
  ])
})

test('authors have the follow mark of this page [FEED-25]', () => {
  const authors = authorsOf(
    [aPost(), aPost({ authorId: '7777777777', authorName: 'Ben' })],
    new Set(['7777777777']),
  )
  expect(authors.map(({ name, isFollowing, followers }) => [name, isFollowing, followers])).toEqual([
    ['Ana Lima', false, 0],
    ['Ben', true, 1],
  ])
})

test('every post with an author is counted once, for its own author [FEED-25 FEED-26]', () => {
  const post = fc.record({
    authorId: fc.constantFrom(null, 'aaaaaaaaaa', 'bbbbbbbbbb'),
    authorName: fc.constantFrom('Ana', 'ANA', 'Ben'),
  })
  fc.assert(
    fc.property(fc.array(post), (written) => {
      const loaded = written.map(aPost)
      const authors = authorsOf(loaded)
      expect(authors.reduce((sum, author) => sum + author.postCount, 0)).toBe(loaded.length)
      for (const author of authors) {
        expect(author.recentPosts.length).toBe(Math.min(3, author.postCount))
        for (const recent of author.recentPosts) expect(authorIdOf(recent)).toBe(author.id)
      }
    }),
  )
})

test('the name of an author leads to a page when the post that gives the name does [PPL-03]', () => {
  const pen = { authorName: 'Night Owl', publishedAt: '2025-06-10T10:00:00.000Z' }
  const own = { authorHasPage: true, publishedAt: '2025-06-10T09:00:00.000Z' }
  const hasPage = (...changes: Partial<AuthoredPost>[]) => authorsOf(changes.map(aPost))[0]!.hasPage
  expect([hasPage(own), hasPage(own, pen), hasPage(pen)]).toEqual([true, false, false])
})
