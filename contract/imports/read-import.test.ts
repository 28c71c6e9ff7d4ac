import { expect, test } from 'vitest'
import { zipOf } from '#contract/testing/zip-writer.ts'
import { aBlob, importOf } from '#contract/testing/import-samples.ts'
import { ImportRefused, readImport } from './read-import.ts'

test('a folder is read like a ZIP of it [OWN-09]', async () => {
  const files = { 'Diary/2024-03-01.md': 'Rain.', 'Diary/sea.jpg': 'x', 'Diary/.obsidian/app.json': '{}' }
  const ofFolder = await importOf(files)
  const ofZip = await importOf(zipOf(Object.entries(files).map(([name, data]) => ({ name, data }))))
  expect(ofFolder).toEqual(ofZip)
  expect(ofFolder).toEqual({
    format: 'markdown',
    entries: [
      {
        kind: 'day',
        of: 'diary',
        day: '2024-03-01',
        time: null,
        text: 'Rain.',
        place: 'Diary/2024-03-01.md',
      },
    ],
    notUnderstood: [],
    skipped: [
      { place: 'Diary/sea.jpg', reason: 'Pictures and attachments are not imported.' },
      { place: 'Diary/.obsidian/app.json', reason: 'This file belongs to a program or an operating system.' },
    ],
  })
})

test('a path of a folder has at most 1,024 characters [OWN-14]', async () => {
  const path = `Diary/2024-03-01 ${'a'.repeat(1004)}.md`
  expect((await importOf({ [path]: 'Rain.' })).entries).toMatchObject([{ place: path }])
  await expect(importOf({ 'a.md': 'Rain.', [`a${path}`]: 'Rain.' })).rejects.toThrow(
    'This path has more than 1024 characters: aDiary/2024-03-01 aaa',
  )
})

test('a person sees how far the reading is [OWN-09]', async () => {
  const seen: string[] = []
  const files = ['2024-03-01.md', '2024-03-02.md'].map((name) => ({ name, blob: aBlob('Rain.') }))
  await readImport(files, (done, of) => seen.push(`${done}/${of}`))
  expect(seen).toEqual(['0/2', '1/2', '2/2', '2/2'])
})

test.each([
  ['a picture', { 'sea.jpg': 'x' }],
  ['nothing', {}],
  ['JSON of another program', { 'x.json': '{"a": [1]}' }],
  ['JSON with entries of another program', { 'x.json': '{"entries": [{"id": 1}]}' }],
  ['XML of another program', { 'x.xml': '<rss><channel/></rss>' }],
])('a file that holds no text is refused with a sentence: %s [OWN-14]', async (_what, files) => {
  await expect(importOf(files)).rejects.toThrow(ImportRefused)
  await expect(importOf(files)).rejects.toThrow('No program that Z!mmer knows wrote this file.')
})

test.each([
  ['cut JSON', { 'x.json': '{"entries"' }, 'cut or damaged: it is no valid JSON'],
  ['JSON in another encoding', { 'x.json': Uint8Array.of(0x7b, 0xe9, 0x7d) }, 'cut or damaged'],
  ['deep JSON', { 'x.json': '['.repeat(1e6) }, 'nested too deeply'],
  ['JSON with too many parts', { 'x.json': `[${'[],'.repeat(1e6)}0]` }, 'too many parts'],
])('a hostile or damaged file is refused with a sentence: %s [OWN-14]', async (_what, files, sentence) => {
  await expect(importOf(files)).rejects.toThrow(ImportRefused)
  await expect(importOf(files)).rejects.toThrow(sentence)
})
