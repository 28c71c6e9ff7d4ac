import { expect, test } from 'vitest'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { createDraft, getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import type { ImportedEntry, ImportedFile } from '#contract/imports/entry.ts'
import { aDay, aFile, aPost } from '#contract/imports/testing.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { importIntoAccount } from './import.ts'

async function startImporting(config: NonNullable<Parameters<typeof startTestApp>[0]>['config'] = {}) {
  const t = await startTestApp({ config })
  const ana = await t.person({ email: 'ana@example.org' })
  const importEntries = (file: ImportedFile, applies: boolean, email = 'Ana@example.org ') =>
    importIntoAccount(
      { database: t.db, random: systemRandom, config: t.config },
      file,
      { email, applies },
      new AbortController().signal,
    )
  return { ...t, ana, importEntries }
}

const story: ImportedEntry = {
  kind: 'document',
  source: 'Story',
  title: 'The well',
  text: 'It was deep.',
  createdAt: '2019-06-10T08:15:00Z',
  place: 'stories/1/story.md',
}
const file = aFile(
  [
    aDay('Rain', { time: '08:15', place: 'Journal.json, entry 1' }),
    aDay('Home again', { time: '21:40', place: 'Journal.json, entry 2' }),
    aDay('Buy ink', { of: 'calendar' }),
    aPost('A post', { category: 'Poetry', tags: ['night'] }),
    story,
  ],
  { skipped: [{ place: 'photos/1.jpg', reason: 'Pictures are not taken.' }] },
)

test('an operator first reads what an import would do, and nothing is changed [OWN-23 OWN-13]', async () => {
  const { ana, db, importEntries } = await startImporting()
  await ana.does(saveDiaryEntry, { input: { date: '2019-06-10', content: 'Written here' } })
  const before = await contentOf(db)
  expect(await importEntries(file, false)).toBe(
    [
      'new 3, same 0, conflict 2, not understood 0, skipped 1',
      'photos/1.jpg: Pictures are not taken.',
      'Journal.json, entry 1: 2019-06-10 has other text. Both are kept.',
      'Journal.json, entry 2: 2019-06-10 has other text. Both are kept.',
    ].join('\n'),
  )
  expect(await contentOf(db)).toEqual(before)
})

test('an operator imports days, drafts and documents beside a running server, and the person reads them; again nothing changes [OWN-23 OWN-10 OWN-11 OWN-12]', async () => {
  const { ana, db, importEntries } = await startImporting({ diaryKey: 'a1'.repeat(32) })
  await ana.does(saveDiaryEntry, { input: { date: '2019-06-10', content: 'Written here' } })
  expect(await importEntries(file, true)).toMatch(/^new 3, same 0, conflict 2, not understood 0, skipped 1\n/)
  expect((await ana.does(getDiary)).map(({ content }) => content)).toEqual([
    'Written here\n\nImported from Day One\n\n08:15\nRain\n\n21:40\nHome again',
  ])
  expect((await ana.does(getCalendar)).map(({ content }) => content)).toEqual(['Buy ink'])
  const [draft] = await ana.does(listDrafts)
  expect(await ana.does(getDraft, { params: { id: draft!.id } })).toMatchObject({
    content: 'A post',
    category: 'Poetry',
    tags: ['night'],
    postId: null,
  })
  const [document] = await ana.does(listDocuments)
  expect(await ana.does(getDocument, { params: { id: document!.id } })).toMatchObject({
    source: 'Story',
    title: 'The well',
    content: 'It was deep.',
    createdAt: '2019-06-10T08:15:00.000Z',
  })
  const before = await contentOf(db)
  expect(await importEntries(file, true)).toBe(
    'new 0, same 5, conflict 0, not understood 0, skipped 1\nphotos/1.jpg: Pictures are not taken.',
  )
  expect(await contentOf(db)).toEqual(before)
})

test('a day that the person saves while the command runs keeps that text [OWN-23 R22]', async () => {
  const { ana, db, importEntries } = await startImporting()
  // The person saves the second day when the command has saved the first one.
  const days = [aDay('First'), aDay('Second', { day: '2019-06-11' })]
  await db.execute(`
    create function write_too() returns trigger language plpgsql as $$ begin
      if new.entry_date = '2019-06-10' then
        insert into diary_entries (user_id, entry_date, content, size, updated_at)
        values (new.user_id, '2019-06-11', 'Written meanwhile', 17, app_now());
      end if;
      return null; end $$`)
  await db.execute(
    `create trigger write_too after insert on diary_entries for each row execute function write_too()`,
  )
  expect(await importEntries(aFile(days), true)).toMatch(/^new 1, same 0, conflict 1, /)
  expect((await ana.does(getDiary)).map(({ content }) => content)).toEqual([
    'First',
    'Written meanwhile\n\nImported from Day One\n\nSecond',
  ])
})

test('posts that find no room among the drafts become documents, and nothing is lost [OWN-12 LOOP-05]', async () => {
  const { ana, importEntries } = await startImporting({ limitsRates: false })
  for (let n = 0; n < 199; n++) await ana.does(createDraft, { input: { content: `Draft ${n}` } })
  const posts = ['one', 'two', 'three'].map((text) => aPost(text))
  expect(await importEntries(aFile(posts), true)).toMatch(/^new 3, /)
  expect((await ana.does(listDocuments)).map(({ title }) => title).toSorted()).toEqual(['three', 'two'])
  expect(await importEntries(aFile(posts), true)).toMatch(/^new 0, same 3, /)
})

test('an operator with the address of nobody, or with another key, is refused, and nothing is changed [OWN-23 S44]', async () => {
  const { ana, db, config, importEntries } = await startImporting({ diaryKey: 'a1'.repeat(32) })
  await ana.does(saveDiaryEntry, { input: { date: '2019-06-10', content: 'Written here' } })
  const before = await contentOf(db)
  await expect(importEntries(file, true, 'nobody@example.org')).rejects.toThrow(
    'Nobody is registered as nobody@example.org.',
  )
  for (const diaryKey of [undefined, 'b2'.repeat(32)]) {
    const place = { database: db, random: systemRandom, config: { ...config, diaryKey } }
    const options = { email: 'ana@example.org', applies: true }
    await expect(importIntoAccount(place, file, options, new AbortController().signal)).rejects.toThrow(
      'DIARY_KEY is not the key that the texts are encrypted with.',
    )
  }
  expect(await contentOf(db)).toEqual(before)
})

test('no other person gets a text of an import [OWN-23]', async () => {
  const { person, importEntries } = await startImporting()
  const ben = await person()
  await importEntries(file, true)
  expect([await ben.does(getDiary), await ben.does(listDrafts), await ben.does(listDocuments)]).toEqual([
    [],
    [],
    [],
  ])
})
