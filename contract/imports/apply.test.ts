import { expect, test } from 'vitest'
import { applyItem, type ImportTarget } from './apply.ts'
import { noCounts } from './counts.ts'
import type { ImportedFile } from './entry.ts'
import { planImport, totalsOf } from './plan.ts'
import { aDay, aFile, aPost, WritingInMemory } from './testing.ts'

const day = '2019-06-10'

/** Plans an import, and applies the plan after `meanwhile`. */
async function importAfter(
  file: ImportedFile,
  meanwhile: (writing: WritingInMemory) => void,
  refusing: Partial<ImportTarget> = {},
) {
  const writing = new WritingInMemory()
  const { format, items } = planImport(file, writing.stored)
  meanwhile(writing)
  const { saveDay, saveDraft, saveDocument } = writing
  const target = { saveDay, saveDraft, saveDocument, ...refusing }
  const applied = []
  for (const item of items) applied.push(await applyItem(item, format, target))
  return { writing, ...totalsOf({ format, items: applied }) }
}

test('a day that another device saves after the preview keeps that text, and the entry follows [OWN-11 R22]', async () => {
  const { writing, counts } = await importAfter(aFile([aDay('Rain')]), (others) =>
    others.write('diary', day, 'Written meanwhile'),
  )
  expect(writing.diary.get(day)!.text).toBe('Written meanwhile\n\nImported from Day One\n\nRain')
  expect(counts).toEqual({ ...noCounts(), conflict: 1 })
})

test('an entry that another device imports after the preview is not added twice [OWN-10]', async () => {
  const { writing, counts, problems } = await importAfter(aFile([aDay('Rain')]), (others) =>
    others.write('diary', day, 'Rain'),
  )
  expect(writing.diary.get(day)!.text).toBe('Rain')
  expect([counts, problems]).toEqual([{ ...noCounts(), same: 1 }, []])
})

test('a day that changes before every attempt is skipped with a reason, and nothing is overwritten [OWN-13 R22]', async () => {
  let saves = 0
  const saveDay = async () => ({ current: { text: `Version ${++saves}`, updatedAt: `${saves}` } })
  const { counts, problems } = await importAfter(aFile([aDay('Rain')]), () => {}, { saveDay })
  expect(saves).toBe(5)
  expect(counts).toEqual({ ...noCounts(), skipped: 1 })
  expect(problems).toEqual([
    { kind: 'skipped', place: 'Journal.json', reason: 'This day was changed again and again meanwhile.' },
  ])
})

test('a day that the server refuses is skipped with its sentence, and the rest of the file is taken [OWN-13 OWN-18]', async () => {
  const file = aFile([aDay('Rain'), aDay(' ', { place: 'blank' }), aPost('A post')])
  const { writing, counts, problems } = await importAfter(file, () => {}, {
    saveDay: async () => ({ refused: 'Your diary has reached its limit of 32 MiB.' }),
  })
  expect(counts).toEqual({ ...noCounts(), new: 1, skipped: 2 })
  expect(problems.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
    'blank: There is no text.',
    'Journal.json: Your diary has reached its limit of 32 MiB.',
  ])
  expect(writing.drafts.map(({ content }) => content)).toEqual(['A post'])
})

test('a post for which no room is left among the drafts since the preview becomes a document [OWN-12]', async () => {
  const { writing, counts, problems } = await importAfter(aFile([aPost('A post')]), (others) => {
    others.draftsMax = 0
  })
  expect([writing.drafts, writing.documents.map(({ content }) => content)]).toEqual([[], ['A post']])
  expect(counts).toEqual({ ...noCounts(), new: 1 })
  expect(problems).toEqual([expect.objectContaining({ kind: 'note', place: 'posts/1.md' })])
})

test('a text whose id is in use since the preview gets another id [OWN-07]', async () => {
  const id = '01900000-0000-7000-8000-000000000001'
  const file = aFile([aPost('A post', { place: `drafts/${id}.md` })], { format: 'zimmer' })
  const { writing } = await importAfter(file, (others) => others.drafts.push({ id, content: 'Mine' }))
  expect(writing.drafts).toEqual([
    { id, content: 'Mine' },
    { id: expect.any(String) as string, content: 'A post' },
  ])
})

test('a document without room is skipped with a reason [OWN-13]', async () => {
  const document = {
    kind: 'document',
    source: 'Story',
    title: 'The well',
    text: 'Deep.',
    createdAt: null,
    place: 'stories/1',
  } as const
  const { counts, problems } = await importAfter(aFile([document]), () => {}, {
    saveDocument: async () => 'full',
  })
  expect(counts).toEqual({ ...noCounts(), skipped: 1 })
  expect(problems).toEqual([
    { kind: 'skipped', place: 'stories/1', reason: 'There is no room for more documents.' },
  ])
})

test.each([
  ['neither drafts nor documents have room for it', 'full', 'There is no room for more documents.'],
  ['the server refuses it', { refused: 'This text is not taken.' }, 'This text is not taken.'],
] as const)(
  'a post is skipped with one reason and no note when %s [OWN-13 OWN-18]',
  async (_when, answer, reason) => {
    const file = aFile([aPost('A post', { tags: ['x'.repeat(31)] })])
    const { counts, problems } = await importAfter(file, () => {}, {
      saveDraft: async () => answer,
      saveDocument: async () => 'full',
    })
    expect(counts).toEqual({ ...noCounts(), skipped: 1 })
    expect(problems).toEqual([{ kind: 'skipped', place: 'posts/1.md', reason }])
  },
)
