import { expect, test } from 'vitest'
import { countOf, importOf } from '#contract/testing/import-samples.ts'

const data = (posts: object[], more: object = {}) => ({ meta: { version: '5.0' }, data: { posts, ...more } })
const read = (posts: object[], more?: object) =>
  importOf({ 'ghost.json': JSON.stringify({ db: [data(posts, more)] }) })

const post = (more: object = {}) => ({
  id: 'p1',
  title: 'The sea',
  html: '<p>Waves.</p>',
  lexical: '{"root":{}}',
  mobiledoc: null,
  plaintext: 'other',
  status: 'published',
  type: 'post',
  created_at: '2024-02-01T10:00:00.000Z',
  published_at: '2024-03-01T10:00:00.000Z',
  feature_image: null,
  ...more,
})

const draft = {
  kind: 'draft',
  title: 'The sea',
  text: 'Waves.',
  createdAt: '2024-03-01T10:00:00.000Z',
  category: null,
  tags: [],
  place: 'ghost.json, post 1',
}

test.each([
  ['HTML before all other forms', {}, {}],
  ['plain text', { html: null, plaintext: 'Go to __GHOST_URL__/sea/' }, { text: 'Go to /sea/' }],
  ['Markdown of old versions', { html: null, plaintext: null, markdown: '*Waves*' }, { text: '*Waves*' }],
  ['a link to the own site', { html: '<a href="__GHOST_URL__/x/">here</a>' }, { text: 'here' }],
  ['a draft', { status: 'draft', published_at: null }, { createdAt: '2024-02-01T10:00:00.000Z' }],
  ['a time in milliseconds', { published_at: 1709287200000 }, {}],
  ['a time without a zone', { published_at: '2024-03-01 10:00:00' }, {}],
])('a post of Ghost becomes a draft: %s [OWN-09] [OWN-12]', async (_what, fields, expected) => {
  const file = await read([post(fields)])
  expect(file).toEqual({
    format: 'ghost',
    entries: [{ ...draft, ...expected }],
    notUnderstood: [],
    skipped: [],
  })
})

test('an export without the list of databases is read [OWN-09]', async () => {
  const { entries } = await importOf({ 'ghost.json': JSON.stringify(data([post()])) })
  expect(entries).toEqual([draft])
})

test('tags come in their order, without internal ones [OWN-12]', async () => {
  const { entries } = await read([post()], {
    tags: [
      { id: 't1', name: 'waves' },
      { id: 't2', name: '#internal' },
      { id: 't3', name: 'sea' },
    ],
    posts_tags: [
      { post_id: 'p1', tag_id: 't1', sort_order: 1 },
      { post_id: 'p1', tag_id: 't2', sort_order: 2 },
      { post_id: 'p1', tag_id: 't3', sort_order: 0 },
      { post_id: 'p2', tag_id: 't1' },
    ],
  })
  expect(entries).toMatchObject([{ tags: ['sea', 'waves'] }])
})

test('one post gets at most 1,000 tags, and the first post with an id gets them [OWN-14]', async () => {
  const names = Array.from({ length: 1500 }, (_, index) => `${index}`)
  const { entries } = await read([post({ type: 'page' }), post(), post()], {
    tags: names.map((name) => ({ id: name, name })),
    posts_tags: names.map((name) => ({ post_id: 'p1', tag_id: name })),
  })
  expect(entries).toMatchObject([{ kind: 'document' }, { tags: names.slice(0, 1000) }, { tags: [] }])
})

test('every post counts, and an unreadable one is named [OWN-13] [OWN-18]', async () => {
  const file = await read([
    post({ feature_image: '__GHOST_URL__/a.jpg', html: '<p>Waves.</p><img src="__GHOST_URL__/b.jpg">' }),
    post({ html: null, plaintext: null }),
    post({ title: '', html: '', plaintext: '', lexical: null }),
    post({ type: 'page' }),
  ])
  expect(file.entries).toMatchObject([
    { kind: 'draft' },
    { kind: 'document', source: 'Ghost page', title: 'The sea' },
  ])
  expect(file.notUnderstood).toEqual([
    {
      place: 'ghost.json, post 2',
      reason: 'The text of this post is only in a form of the editor of Ghost.',
    },
  ])
  expect(file.skipped.map(({ reason }) => reason)).toEqual([
    'Pictures and attachments are not imported: /a.jpg',
    'Pictures and attachments are not imported: /b.jpg',
    'This entry has no text.',
  ])
  expect(countOf(file)).toBe(4 + 2)
})
