import { expect, test } from 'vitest'
import { countOf, importOf } from '#contract/testing/import-samples.ts'

const start = `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>My site</title><wp:wxr_version>1.2</wp:wxr_version>
<wp:author><wp:author_login>ana</wp:author_login>
<wp:author_display_name><![CDATA[Ana
of two lines]]></wp:author_display_name></wp:author>
<wp:category><wp:cat_name><![CDATA[Travel]]></wp:cat_name></wp:category>`
const end = '</channel></rss>'

const item = (content: string, more = '') => `<item><title>The sea</title><link>https://a.example/?p=1</link>
<content:encoded><![CDATA[${content}]]></content:encoded><excerpt:encoded><![CDATA[short]]></excerpt:encoded>
<wp:post_id>1</wp:post_id><wp:post_date>2024-03-01 09:00:00</wp:post_date>
<wp:post_date_gmt>2024-03-01 08:00:00</wp:post_date_gmt><wp:status>publish</wp:status>
<wp:post_type>post</wp:post_type>${more}</item>`

const read = (items: string, ending = end) => importOf({ 'site.xml': start + items + ending })

const draft = {
  kind: 'draft',
  title: 'The sea',
  text: 'Waves.',
  createdAt: '2024-03-01T08:00:00.000Z',
  category: null,
  tags: [],
  place: 'site.xml, item 1',
}

test.each([
  [
    'the block editor',
    '<!-- wp:paragraph -->\n<p>One</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:list --><ul><li>a</li></ul>',
    'One\n\n- a',
  ],
  [
    'the older editor',
    'One line\nand another\n\nA <em>second</em> paragraph &amp; more',
    'One line\nand another\n\nA second paragraph & more',
  ],
  [
    'shortcodes',
    '[caption id="1" align="left"]A boat[/caption]\n[gallery ids="1,2"]\nI wrote [in brackets].',
    'A boat\n\nI wrote [in brackets].',
  ],
  ['control characters', 'a\u0005b\u001c\u001dc', 'abc'],
  ['a bare ampersand', 'Tom & Ann', 'Tom & Ann'],
])('the text of a post of WordPress is read: %s [OWN-09]', async (_what, content, text) => {
  const { entries } = await read(item(content))
  expect(entries).toEqual([{ ...draft, text }])
})

test('entities of the file are not expanded [OWN-14]', async () => {
  const { entries } = await read(item('Waves.').replace('The sea', 'The &b; sea &amp; I'))
  expect(entries).toMatchObject([{ title: 'The &b; sea & I' }])
})

test.each([
  ['no time in UTC', '0000-00-00 00:00:00', '2024-03-01 09:00:00', '2024-03-01T09:00:00.000Z'],
  ['no time', '0000-00-00 00:00:00', '0000-00-00 00:00:00', null],
])('a draft of WordPress has %s [OWN-12]', async (_what, utc, local, createdAt) => {
  const draftItem = item('Waves.').replace('2024-03-01 08:00:00', utc).replace('2024-03-01 09:00:00', local)
  expect((await read(draftItem)).entries).toMatchObject([{ createdAt }])
})

test('category and tags come along, and comments of readers do not [OWN-12] [OWN-13]', async () => {
  const more = `<category domain="category" nicename="u"><![CDATA[Uncategorized]]></category>
<category domain="category" nicename="t"><![CDATA[Travel]]></category><category domain="category" nicename="o"><![CDATA[Old]]></category>
<category domain="post_tag" nicename="s"><![CDATA[sea & more]]></category>
<wp:postmeta><wp:meta_key>title</wp:meta_key><wp:meta_value><![CDATA[x]]></wp:meta_value></wp:postmeta>
<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content><![CDATA[Nice]]></wp:comment_content></wp:comment>
<wp:comment><wp:comment_id>2</wp:comment_id></wp:comment>`
  const file = await read(item('Waves.', more))
  expect(file.entries).toEqual([{ ...draft, category: 'Travel', tags: ['Old', 'sea & more'] }])
  expect(file.skipped).toEqual([
    { place: 'site.xml, item 1', reason: 'Comments of readers are not imported. Found: 2' },
  ])
})

test('one post has at most 1,000 categories and tags [OWN-14]', async () => {
  const named = (domain: string, name: string) => `<category domain="${domain}">${name}</category>`
  const names = Array.from({ length: 1500 }, (_, index) => `${index}`)
  const more = named('category', 'Travel') + names.map((name) => named('post_tag', name)).join('')
  const file = await read(item('Waves.', more))
  expect(file.entries).toMatchObject([{ category: 'Travel', tags: names.slice(0, 999) }])
})

test('every item counts once, also in a file without an end [OWN-18]', async () => {
  const typed = (type: string) => item('Waves.').replace('<wp:post_type>post', `<wp:post_type>${type}`)
  const items = [
    item('Waves.<img src="https://a.example/b.jpg">'),
    typed('page'),
    typed('poem'),
    typed('attachment'),
    typed('nav_menu_item'),
    item('Waves.').replace('publish', 'trash'),
    item(''),
    item('<b>'.repeat(2000)),
  ]
  const file = await read(items.join('\n'), '<item><title>Cut</title><content:enc')
  expect(file.entries).toMatchObject([
    { kind: 'draft', text: 'Waves.' },
    { kind: 'document', source: 'WordPress page' },
    { kind: 'document', source: 'WordPress poem' },
    { kind: 'draft', title: 'The sea', text: '' },
  ])
  expect(file.skipped.map(({ place }) => place)).toEqual(
    [1, 4, 5, 6].map((index) => `site.xml, item ${index}`),
  )
  expect(file.notUnderstood).toEqual([
    { place: 'site.xml, item 8', reason: 'This HTML is nested too deeply.' },
    { place: 'site.xml, item 9', reason: 'The file was cut in this item.' },
  ])
  // The items, the picture and the item that was cut.
  expect(countOf(file)).toBe(items.length + 2)
})

test('the items before a damaged place are read [OWN-18]', async () => {
  const items = Array.from({ length: 400 }, () => item('Waves. '.repeat(100))).join('\n')
  const bytes = Buffer.concat([Buffer.from(start + items), Buffer.of(0xff), Buffer.from(item('Sand.') + end)])
  const file = await importOf({ 'site.xml': new Uint8Array(bytes) })
  expect(file.entries.length).toBeGreaterThan(100)
  expect(file.notUnderstood).toEqual([
    { place: 'site.xml', reason: 'This file is not text in UTF-8 or UTF-16.' },
  ])
})

test('all files of a large site are read [OWN-18]', async () => {
  const file = await importOf({
    'site.1.xml': start + item('One') + end,
    'site.2.xml': start + item('Two') + end,
    'other.xml': '<a/>',
  })
  expect(file.entries.map(({ text }) => text)).toEqual(['One', 'Two'])
  expect(countOf(file)).toBe(3)
})

test('a file that is nested too deeply is refused [OWN-14]', async () => {
  await expect(read('<a>'.repeat(1000))).rejects.toThrow('nested too deeply')
})

test('a million items are refused [OWN-14]', async () => {
  await expect(read('<item></item>'.repeat(1e6))).rejects.toThrow('more than 100000 entries')
})
