import * as fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { foldPosts, type LoadedThings, searchLoaded, splitAtMatch } from './search.ts'

const nothing: LoadedThings = { posts: [], authors: [], creators: [], rooms: [] }
const post = { id: 'post-1', content: 'The lamp burns low.\nNobody sleeps.', authorName: 'Ana Lima' }
const author = { id: 'k7q2m4xp3d', name: 'Ana Lima', genre: 'Poetry' }
const creator = {
  id: 'creator-1',
  name: 'Tomasz Wilk',
  artistName: 'Lantern Keeper',
  description: 'Letters from a lighthouse.',
  tags: ['maritime'],
  keywords: ['fog'],
}
const room = { id: 'room-1', name: 'Harbour tales', description: 'One story for every boat.' }
const loaded: LoadedThings = { posts: [post], authors: [author], creators: [creator], rooms: [room] }
const found = (query: string, things: LoadedThings = loaded) =>
  searchLoaded(query, things).map(({ id }) => id)
const snippetOf = (content: string) =>
  searchLoaded('lamp', { ...nothing, posts: [{ ...post, content }] })[0]?.snippet

test('a post is found by its text [SRCH-02]', () => {
  expect(searchLoaded('burns', loaded)).toEqual([
    { type: 'post', id: 'post-1', title: 'Ana Lima', snippet: 'The lamp burns low. / Nobody sleeps.' },
  ])
})

test('an author is found by the name, a creator also by artist name, description, tags and keywords [SRCH-03]', () => {
  expect(searchLoaded('lima', loaded)).toEqual([
    { type: 'author', id: 'k7q2m4xp3d', title: 'Ana Lima', snippet: 'Poetry' },
  ])
  for (const query of ['wilk', 'lantern', 'lighthouse', 'maritime', 'fog']) {
    expect(searchLoaded(query, loaded)).toEqual([
      { type: 'creator', id: 'creator-1', title: 'Tomasz Wilk', snippet: 'Letters from a lighthouse.' },
    ])
  }
})

test('a room is found by its name and its description [SRCH-04]', () => {
  for (const query of ['harbour', 'every boat']) {
    expect(searchLoaded(query, loaded)).toEqual([
      { type: 'room', id: 'room-1', title: 'Harbour tales', snippet: 'One story for every boat.' },
    ])
  }
})

test('a snippet is the first 100 characters when the match is in them, with a sign when there is more [SRCH-05]', () => {
  expect(snippetOf(`lamp${'a'.repeat(96)}`)).toBe(`lamp${'a'.repeat(96)}`)
  expect(snippetOf(`lamp${'a'.repeat(97)}`)).toBe(`lamp${'a'.repeat(96)}…`)
  expect(snippetOf(`lamp${'😀'.repeat(200)}`)).toBe(`lamp${'😀'.repeat(96)}…`)
})

test.each<[what: string, content: string, snippet: string]>([
  [
    'a match further on, from a word before it',
    `${'abc '.repeat(50)}the lamp ${'xyz '.repeat(50)}`,
    `…${'abc '.repeat(6)}the lamp ${'xyz '.repeat(16)}xyz…`,
  ],
  ['a match without a space before it', `${'a'.repeat(120)}lamp`, '…lamp'],
  ['a match behind letters of two units', `${'😀'.repeat(120)}lamp`, '…lamp'],
  [
    'lines of verse',
    'I lit a lamp\nand read.\n\nIt rained,\nand I slept.',
    'I lit a lamp / and read. / It rained, / and I slept.',
  ],
  ['paragraphs', 'One.\n\nI lit a lamp.\n\n It rained. \n', 'I lit a lamp. It rained.'],
])('a snippet shows %s [SRCH-05]', (_what, content, snippet) => {
  expect(snippetOf(content)).toBe(snippet)
})

test('a post with a title is called by the title and its author, and the snippet is the text below it', () => {
  const content = 'The lamp\n\nIt burned low.'
  expect(searchLoaded('lamp', { ...nothing, posts: [{ ...post, content }] })).toMatchObject([
    { title: 'The lamp · Ana Lima', snippet: 'It burned low.' },
  ])
})

test('the snippet of a room or a creator begins with the first line of its description', () => {
  const description = 'Boats only.\n\nOne story for every lamp.'
  const things = { ...nothing, rooms: [{ ...room, description }], creators: [{ ...creator, description }] }
  expect(searchLoaded('lamp', things).map(({ title, snippet }) => [title, snippet])).toEqual([
    ['Tomasz Wilk', 'Boats only. One story for every lamp.'],
    ['Harbour tales', 'Boats only. One story for every lamp.'],
  ])
})

test.each<[query: string, text: string, parts: [string, string, string] | undefined]>([
  ['LAMP', 'A lamp, a lamp.', ['A ', 'lamp', ', a lamp.']],
  [' lamp ', 'A lamp.', ['A ', 'lamp', '.']],
  ['strasse', 'In der Straße hier', ['In der ', 'Straße', ' hier']],
  ['s', 'Fuß', ['Fu', 'ß', '']],
  ['café', 'Im Cafe\u0301 dort', ['Im ', 'Cafe\u0301', ' dort']],
  ['dort', '😀 Cafe\u0301 dort', ['😀 Cafe\u0301 ', 'dort', '']],
  ['한', '글 \u1112\u1161\u11ab', ['글 ', '\u1112\u1161\u11ab', '']],
  ['moon', 'A lamp.', undefined],
  [' ', 'A lamp.', undefined],
])('%j in %j is marked at its first place [SRCH-07]', (query, text, parts) => {
  expect(splitAtMatch(text, query)).toEqual(parts)
})

test.each([
  ['HARBOUR', 'Harbour tales'],
  ['harbour', 'HARBOUR TALES'],
  ['  harbour ', 'Harbour tales'],
  ['cafe\u0301', 'Café at night'],
  ['CAFÉ', 'cafe\u0301 at night'],
  ['STRASSE', 'Kleine Straße'],
  ['Ωμός', 'ΩΜΌΣ'],
])('%j matches %j whatever the case and the way accents are typed [SRCH-07]', (query, name) => {
  expect(found(query, { ...nothing, rooms: [{ ...room, name }] })).toEqual(['room-1'])
})

test.each(['', ' ', '\n\t', '\u3000'])('the blank query %j finds nothing [SRCH-07]', (query) => {
  expect(searchLoaded(query, loaded)).toEqual([])
})

test('a query that is in no text finds nothing, and signs of patterns have no special meaning [SRCH-07]', () => {
  expect(found('zeppelin')).toEqual([])
  expect(found('.*')).toEqual([])
})

test('posts of all loaded days, authors, creators and rooms are searched together [SRCH-07]', () => {
  const things: LoadedThings = {
    posts: [post, { ...post, id: 'post-2', content: 'Another lamp.' }],
    authors: [{ ...author, name: 'Clamp Miller' }],
    creators: [{ ...creator, artistName: 'Lamp Keeper' }],
    rooms: [{ ...room, description: 'By lamplight' }],
  }
  expect(found('lamp', things)).toEqual(['creator-1', 'k7q2m4xp3d', 'room-1', 'post-1', 'post-2'])
})

test('each type shows at most five results, the best ones, so that no type hides another [SRCH-02 SRCH-03 SRCH-04]', () => {
  const many = (kind: string, name: string) =>
    Array.from({ length: 9 }, (_, index) => ({ ...creator, ...author, id: `${kind}-${index}`, name }))
  const results = searchLoaded('lamp', {
    posts: Array.from({ length: 9 }, (_, index) => ({ ...post, id: `post-${index}` })),
    authors: [...many('author', 'A lamp'), { ...author, id: 'best', name: 'Lamp' }],
    creators: many('creator', 'Lamp'),
    rooms: many('room', 'Lamp'),
  })
  const count = Object.groupBy(results, ({ type }) => type)
  for (const type of ['post', 'author', 'creator', 'room'] as const) expect(count[type]).toHaveLength(5)
  expect(results[0]?.id).toBe('best')
})

test('every result holds the query somewhere, and every room that holds it is found [SRCH-04 SRCH-07]', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'B', 'é', ' '), maxLength: 4 })
  fc.assert(
    fc.property(
      word,
      fc.array(fc.record({ name: word, description: word }), { maxLength: 5 }),
      (query, drawn) => {
        const rooms = drawn.map((each, index) => ({ ...each, id: `${index}` }))
        const sought = query.trim().toLowerCase()
        const expected = rooms.filter(
          ({ name, description }) =>
            sought !== '' && [name, description].some((text) => text.toLowerCase().includes(sought)),
        )
        expect(found(query, { ...nothing, rooms }).toSorted()).toEqual(expected.map(({ id }) => id))
      },
    ),
  )
})

test('a post is folded once, and not again at every key', () => {
  let reads = 0
  const watched = {
    ...post,
    get content() {
      reads++
      return 'The lamp burns low.'
    },
  }
  for (const query of ['q', 'l', 'la', 'lam', 'lamp']) searchLoaded(query, { ...nothing, posts: [watched] })
  // Once to find it, and once to show it.
  expect(reads).toBe(2)
})

test.each([255, 256, 257, 511, 512, 5000])(
  'a match after %i letters is in the snippet, also in a text of long letters [SRCH-05]',
  (count) => {
    for (const letter of ['a', 'ß', 'e\u0301', '\u1112\u1161\u11ab', '😀'])
      expect(snippetOf(`${letter.repeat(count)} one lamp`)).toBe('…one lamp')
  },
)

test('the snippet of a long post is folded no further than to the match, so that the first key stays fast', () => {
  const content = `The lamp ${'burns '.repeat(8000)}`
  const things = { ...nothing, posts: [{ ...post, content }] }
  foldPosts(things.posts, 0)
  const upper = vi.spyOn(String.prototype, 'toUpperCase')
  onTestFinished(() => upper.mockRestore())
  expect(searchLoaded('lamp', things)[0]?.snippet).toMatch(/^The lamp burns/)
  const letters = upper.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0)
  expect(letters).toBeLessThan(1000)
})

test('many long posts are folded in several steps, and are all found after the last step', () => {
  const posts = Array.from({ length: 40 }, (_, n) => ({
    ...post,
    id: `post-${n}`,
    content: `${'\u1112\u1161\u11ab'.repeat(16_000)} lamp ${n}`,
  }))
  let steps = 1
  while (!foldPosts(posts, 0)) steps++
  expect(steps).toBeGreaterThan(10)
  expect(found('lamp 39', { ...nothing, posts })).toEqual(['post-39'])
})
