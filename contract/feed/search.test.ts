import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Loaded, searchLoaded } from '#contract/feed/search.ts'

const nothing: Loaded = { posts: [], authors: [], creators: [], rooms: [] }
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
const loaded: Loaded = { posts: [post], authors: [author], creators: [creator], rooms: [room] }
const found = (query: string, things: Loaded = loaded) => searchLoaded(query, things).map(({ id }) => id)
const snippetOf = (content: string) =>
  searchLoaded('lamp', { ...nothing, posts: [{ ...post, content }] })[0]?.snippet

test('a post is found by its text [SRCH-02]', () => {
  expect(searchLoaded('burns', loaded)).toEqual([
    { type: 'post', id: 'post-1', title: 'Ana Lima', snippet: 'The lamp burns low.\nNobody sleeps.' },
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

test('a snippet is the first 100 characters, marked when there is more [SRCH-05]', () => {
  expect(snippetOf(`lamp${'a'.repeat(96)}`)).toBe(`lamp${'a'.repeat(96)}`)
  expect(snippetOf(`lamp${'a'.repeat(97)}`)).toBe(`lamp${'a'.repeat(96)}…`)
  expect(snippetOf(`lamp${'😀'.repeat(200)}`)).toBe(`lamp${'😀'.repeat(96)}…`)
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

test('a query that stands nowhere finds nothing, and signs of patterns mean themselves [SRCH-07]', () => {
  expect(found('zeppelin')).toEqual([])
  expect(found('.*')).toEqual([])
})

test('posts of all loaded days, authors, creators and rooms are searched together [SRCH-07]', () => {
  const things: Loaded = {
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
