import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { countOf, importOf } from '#contract/testing/import-samples.ts'
import { zipOf } from '#contract/testing/zip-writer.ts'
import { writeFrontMatter } from '#contract/archive/front-matter.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const sumOf = (data: string) => createHash('sha256').update(data).digest('hex')

/** An archive of ours. `manifest` changes the manifest before it is written. */
function archive(files: Record<string, string>, manifest: object = {}, folder = '') {
  const listed = Object.entries(files).map(([path, data]) => ({
    path,
    bytes: Buffer.byteLength(data),
    sha256: sumOf(data),
  }))
  const whole = {
    format: 'zimmer-archive',
    version: 1,
    createdAt: '2025-06-10T12:00:00.000Z',
    origin: 'https://z.example',
    person: { id: 'k7q2m4xp3d', name: 'Ana', email: 'ana@z.example' },
    files: listed,
    ...manifest,
  }
  return Object.fromEntries(
    [...Object.entries(files), ['manifest.json', JSON.stringify(whole)]].map(([path, data]) => [
      folder + path,
      data!,
    ]),
  )
}

const zipped = (files: Record<string, string>) =>
  importOf(zipOf(Object.entries(files).map(([name, data]) => ({ name, data }))))

const oddTexts = [
  'one\r\ntwo\r\n',
  '---\nnot front matter\n---\n',
  '',
  'no end of line',
  '\n\n  blank lines\n\n',
  '\ufeffa mark',
  'a\u0000b',
]

test('one post of an archive has at most 1,000 tags [OWN-14]', async () => {
  const tags = Array.from({ length: 1100 }, (_, index) => `${index}`)
  const { entries } = await importOf(archive({ [`posts/${id}.md`]: writeFrontMatter({ tags }, 'Waves.') }))
  expect(entries).toMatchObject([{ kind: 'draft', tags: tags.slice(0, 1000) }])
})

test('the texts of an archive of ours arrive as they were written [OWN-07] [OWN-09]', async () => {
  const day = writeFrontMatter({ date: '2025-06-10', updated_at: '2025-06-10T12:00:00.000Z' }, 'Rain.\n')
  const post = writeFrontMatter(
    {
      id,
      status: 'published',
      created_at: '2025-06-01T08:00:00.000Z',
      category: 'Poetry',
      tags: ['sea', 'true', '7'],
    },
    'The sea\n\nWaves.',
  )
  const files = {
    'README.txt': 'What is in here',
    'diary/2025-06-10.md': day,
    'calendar/2025-06-10.md': day,
    'diary.dayone.json': '{"metadata":{},"entries":[{"creationDate":"2025-06-10T12:00:00Z","text":"Rain."}]}',
    [`posts/2025-06-01-${id}.md`]: post,
    [`posts/${id}/2025-05-01-${id}.md`]: post,
    [`posts/${id}/waiting.md`]: post,
    [`drafts/${id}.md`]: writeFrontMatter(
      {
        id,
        author_name: 'Nightingale',
        type: 'premium',
        form: 'verse',
        category: null,
        tags: [],
        created_at: '2025-06-02T08:00:00.000Z',
        updated_at: '2025-06-03T08:00:00.000Z',
      },
      'Draft',
    ),
    [`documents/${id}.md`]: writeFrontMatter(
      { source: 'Medium', title: 'A reply', created_at: null },
      'Yes.',
    ),
    [`stories/${id}/story.md`]: '# The \\*long\\* night\n\nOnce.\n',
    [`stories/${id}/story.epub`]: 'PK',
    [`stories/${id}/passages.json`]: '[]',
    'messages/k7q2m4xp3d.md': '# Ben\n\n---\n\n**Ben**, 2025-06-10\n\nHi\n',
    'messages/k7q2m4xp3d.json': '[]',
    'friends.json': '{}',
  }
  const file = await zipped(archive(files))
  expect(file.format).toBe('zimmer')
  expect(file.entries).toEqual([
    {
      kind: 'day',
      of: 'diary',
      day: '2025-06-10',
      time: null,
      text: 'Rain.\n',
      updatedAt: '2025-06-10T12:00:00.000Z',
      place: 'diary/2025-06-10.md',
    },
    {
      kind: 'day',
      of: 'calendar',
      day: '2025-06-10',
      time: null,
      text: 'Rain.\n',
      updatedAt: '2025-06-10T12:00:00.000Z',
      place: 'calendar/2025-06-10.md',
    },
    {
      kind: 'draft',
      title: '',
      text: 'The sea\n\nWaves.',
      createdAt: '2025-06-01T08:00:00.000Z',
      category: 'Poetry',
      tags: ['sea', 'true', '7'],
      place: `posts/2025-06-01-${id}.md`,
    },
    {
      kind: 'draft',
      title: '',
      text: 'Draft',
      createdAt: '2025-06-02T08:00:00.000Z',
      updatedAt: '2025-06-03T08:00:00.000Z',
      authorName: 'Nightingale',
      postType: 'premium',
      form: 'verse',
      category: null,
      tags: [],
      place: `drafts/${id}.md`,
    },
    {
      kind: 'document',
      source: 'Medium',
      title: 'A reply',
      text: 'Yes.',
      createdAt: null,
      place: `documents/${id}.md`,
    },
    {
      kind: 'document',
      source: 'Z!mmer story',
      title: 'The *long* night',
      text: files[`stories/${id}/story.md`],
      createdAt: null,
      place: `stories/${id}/story.md`,
    },
    {
      kind: 'document',
      source: 'Z!mmer conversation',
      title: 'Ben',
      text: files['messages/k7q2m4xp3d.md'],
      createdAt: null,
      place: 'messages/k7q2m4xp3d.md',
    },
  ])
  expect(file.notUnderstood).toEqual([])
  // Every file of the archive, and its manifest.
  expect(countOf(file)).toBe(Object.keys(files).length + 1)
})

test.each(oddTexts.map((text) => [JSON.stringify(text), text]))(
  'a text comes back byte for byte: %s [OWN-07]',
  async (_shown, text) => {
    const paths = [
      'diary/2025-06-10.md',
      `posts/2025-06-01-${id}.md`,
      `drafts/${id}.md`,
      `documents/${id}.md`,
    ]
    const file = await zipped(
      archive(Object.fromEntries(paths.map((path) => [path, writeFrontMatter({ id }, text)]))),
    )
    expect(file.entries.map((entry) => entry.text)).toEqual(paths.map(() => text))
  },
)

test('an unzipped archive is read from its folder, and its places are those in the archive [OWN-09]', async () => {
  const file = await importOf(archive({ 'diary/2025-06-10.md': 'Rain.' }, {}, 'my archive/'))
  expect(file).toMatchObject({ format: 'zimmer', entries: [{ text: 'Rain.', place: 'diary/2025-06-10.md' }] })
  expect(countOf(file)).toBe(2)
})

test('a file that was changed, added or removed is not understood, and the others are [OWN-13] [OWN-18]', async () => {
  const files = archive({
    'diary/2025-06-10.md': 'Rain.',
    'diary/2025-06-11.md': 'Sun.',
    'diary/2025-06-12.md': 'Snow.',
  })
  delete files['diary/2025-06-12.md']
  const file = await zipped({ ...files, 'diary/2025-06-11.md': 'Fog.', 'diary/2025-06-13.md': 'Wind.' })
  expect(file.entries).toMatchObject([{ text: 'Rain.' }])
  expect(file.notUnderstood).toEqual([
    {
      place: 'diary/2025-06-11.md',
      reason: 'This file was changed or damaged: its checksum is not that of the manifest.',
    },
    { place: 'diary/2025-06-13.md', reason: 'The manifest of this archive does not list this file.' },
    { place: 'diary/2025-06-12.md', reason: 'The archive does not hold this file of its manifest.' },
  ])
  expect(countOf(file)).toBe(5)
})

test.each([
  ['of a newer version', { version: 2 }, 'A newer version of Z!mmer wrote this archive.'],
  ['with a damaged manifest', { files: [{ path: 1 }] }, 'The manifest of this archive is damaged.'],
])('an archive %s is refused with a sentence [OWN-14]', async (_what, manifest, sentence) => {
  await expect(zipped(archive({ 'diary/2025-06-10.md': 'Rain.' }, manifest))).rejects.toThrow(sentence)
})
