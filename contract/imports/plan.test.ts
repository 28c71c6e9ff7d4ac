import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cpuMsOf } from '#contract/testing/cpu-time.ts'
import { applyItem } from './apply.ts'
import { noCounts } from './counts.ts'
import { type ImportedEntry, type ImportedFile, importFormats } from './entry.ts'
import { countWrites, type ImportPlan, planImport, totalsOf } from './plan.ts'
import { importReport } from './report.ts'
import { aDay, aFile, aPost, WritingInMemory } from './testing.ts'

const day = '2019-06-10'

async function apply({ format, items }: ImportPlan, writing: WritingInMemory): Promise<ImportPlan> {
  const applied = []
  for (const item of items) applied.push(await applyItem(item, format, writing))
  return { format, items: applied }
}

async function importInto(writing: WritingInMemory, file: ImportedFile): Promise<ImportPlan> {
  return apply(planImport(file, writing.stored), writing)
}

const countsOf = (plan: ImportPlan) => totalsOf(plan).counts

test('a day that has no text gets the one entry of the file as it stands there [OWN-19]', async () => {
  const writing = new WritingInMemory()
  const plan = await importInto(writing, aFile([aDay('# Rain\r\nall day\n', { time: '08:15' })]))
  expect(writing.diary.get(day)!.text).toBe('# Rain\nall day\n')
  expect(countsOf(plan)).toEqual({ ...noCounts(), new: 1 })
})

test('several entries of a day become one day in the order of their times, each under its time [OWN-19]', async () => {
  const writing = new WritingInMemory()
  const evening = aDay('Home again', { time: '21:40' })
  const plan = await importInto(writing, aFile([evening, aDay('Rain', { time: '08:15' }), aDay('Undated')]))
  expect(writing.diary.get(day)!.text).toBe('Undated\n\n08:15\nRain\n\n21:40\nHome again')
  expect(countsOf(plan)).toEqual({ ...noCounts(), new: 3 })
  expect(countWrites(plan)).toEqual({ diary: 1, calendar: 0, draft: 0, document: 0 })
})

test('a day that has other text keeps both, and a line says where the new text came from [OWN-11]', async () => {
  const writing = new WritingInMemory()
  writing.write('diary', day, 'What I wrote here')
  const file = aFile([aDay('Rain', { time: '08:15', place: 'Journal.json, entry 1' })])
  const plan = await importInto(writing, file)
  expect(writing.diary.get(day)!.text).toBe('What I wrote here\n\nImported from Day One\n\n08:15\nRain')
  expect(totalsOf(plan)).toEqual({
    counts: { ...noCounts(), conflict: 1 },
    problems: [
      {
        kind: 'conflict',
        place: 'Journal.json, entry 1',
        reason: '2019-06-10 has other text. Both are kept.',
      },
    ],
  })
})

test.each([
  ['is the same', 'Rain', ['Rain'], 1],
  ['stands among other lines', 'Sun\nRain\nWind', ['Rain'], 1],
  ['is only a part of a line', 'Rain all day', ['Rain'], 0],
  ['stands there once for two entries', 'Rain', ['Rain', 'Rain'], 1],
  ['stands there twice for two entries', 'Rain\n\nRain', ['Rain', 'Rain'], 2],
  ['overlaps itself', 'Rain\nRain\nRain', ['Rain\nRain', 'Rain\nRain'], 1],
])('an entry whose text %s is compared with the text of the day [OWN-10]', (_, stored, texts, same) => {
  const writing = new WritingInMemory()
  writing.write('diary', day, stored)
  const entries = texts.map((text, hour) => aDay(text, { time: `0${hour}:00` }))
  const plan = planImport(aFile(entries), writing.stored)
  expect(countsOf(plan)).toEqual({ ...noCounts(), same, conflict: texts.length - same })
})

test('the same entry twice in a file, such as in two copies of a journal, is added once [OWN-10]', async () => {
  const writing = new WritingInMemory()
  const entry = aDay('Rain', { time: '08:15' })
  const plan = await importInto(writing, aFile([entry, entry]))
  expect(writing.diary.get(day)!.text).toBe('Rain')
  expect(countsOf(plan)).toEqual({ ...noCounts(), new: 1, same: 1 })
})

test('a text that cannot be a day is skipped with its place and a reason, and the others are taken [OWN-13 OWN-18]', () => {
  const long = 'x'.repeat(60_000)
  const plan = planImport(
    aFile(
      [
        aDay(' \n', { place: 'blank' }),
        aDay('nul \0', { place: 'nul' }),
        aDay(`e${'\u0301'.repeat(31)}`, { place: 'marks' }),
        aDay('early', { day: '1899-12-31', place: 'early' }),
        aDay(long, { place: 'first', time: '01:00' }),
        aDay(`${long}y`, { place: 'second', time: '02:00' }),
        aDay('short', { place: 'third', time: '03:00' }),
        aDay('x'.repeat(10_001), { of: 'calendar', place: 'note' }),
      ],
      {
        notUnderstood: [{ place: 'a', reason: 'No date.' }],
        skipped: [{ place: 'b', reason: 'A picture.' }],
      },
    ),
    new WritingInMemory().stored,
  )
  const { counts, problems } = totalsOf(plan)
  expect(counts).toEqual({ ...noCounts(), new: 2, notUnderstood: 1, skipped: 7 })
  expect(problems.map(({ kind, place, reason }) => [kind, place, reason])).toEqual([
    ['not understood', 'a', 'No date.'],
    ['skipped', 'b', 'A picture.'],
    ['skipped', 'early', 'Days are those of 1900 to 2100.'],
    ['skipped', 'blank', 'There is no text.'],
    ['skipped', 'nul', 'This text holds characters that cannot be kept.'],
    ['skipped', 'marks', 'This text has more than 30 combining marks in a row.'],
    ['skipped', 'second', 'The text of a day has at most 100,000 characters.'],
    ['skipped', 'note', 'The text of a day has at most 10,000 characters.'],
  ])
})

test('the days of a person stay within their 32 MiB: what has no room is skipped with the reason [OWN-13 S31]', () => {
  const writing = new WritingInMemory()
  const text = '🌒'.repeat(99_000)
  for (let n = 0; n < 84; n++) writing.write('diary', `20${10 + n}-01-01`, text)
  const plan = planImport(aFile([aDay(text), aDay('short', { day: '2019-06-11' })]), writing.stored)
  expect(totalsOf(plan)).toEqual({
    counts: { ...noCounts(), new: 1, skipped: 1 },
    problems: [
      { kind: 'skipped', place: 'Journal.json', reason: 'Your diary has reached its limit of 32 MiB.' },
    ],
  })
})

test('a post becomes a draft with its title as the first line, its category and its tags [OWN-12]', () => {
  const post = aPost('It rained.', {
    title: 'Rain',
    category: 'travel',
    tags: ['a', 'b', 'a', 'c', 'd', 'e', 'f', 't'.repeat(31)],
  })
  const plan = planImport(aFile([post], { format: 'wordpress' }), new WritingInMemory().stored)
  expect(plan.items.at(-1)!.write).toMatchObject({
    kind: 'draft',
    fields: { content: 'Rain\n\nIt rained.', category: 'Travel', tags: ['a', 'b', 'c', 'd', 'e'] },
  })
  expect(totalsOf(plan).problems).toEqual([
    {
      kind: 'note',
      place: 'posts/1.md',
      reason: `Tags that were not taken: f, ${'t'.repeat(31)}. A draft has at most 5, each of 30 characters.`,
    },
  ])
})

test.each([
  ['a title that the text begins with', { title: 'Rain', text: 'Rain\n\nIt rained.' }, 'Rain\n\nIt rained.'],
  ['a title alone', { title: 'Rain', text: ' ' }, 'Rain'],
  ['no title', { title: ' ', text: ' It rained.' }, ' It rained.'],
])('a post with %s keeps its words once [OWN-12]', (_, post, content) => {
  const plan = planImport(aFile([aPost('', post)]), new WritingInMemory().stored)
  expect(plan.items.at(-1)!.write).toMatchObject({ fields: { content } })
})

test('a note names the first twenty of many tags that were not taken, each shortened [OWN-14]', async () => {
  const tags = ['t'.repeat(1e6), ...Array.from({ length: 500_000 }, (_, index) => `${index}`)]
  let plan!: ImportPlan
  const stored = new WritingInMemory().stored
  const work = () => (plan = planImport(aFile([aPost('Rain', { tags })]), stored))
  expect(await cpuMsOf(work)).toBeLessThan(10_000)
  const named = `${'t'.repeat(100)}…, ${tags.slice(6, 25).join(', ')} and 499976 more`
  expect(totalsOf(plan).problems[0]!.reason).toContain(`Tags that were not taken: ${named}. A draft has`)
})

test('a category that is not one of ours becomes a tag [OWN-12]', () => {
  const plan = planImport(aFile([aPost('Rain', { category: 'Weather' })]), new WritingInMemory().stored)
  expect(plan.items.at(-1)!.write).toMatchObject({ fields: { category: null, tags: ['Weather'] } })
})

test('a draft of an archive keeps its name, type, form and times, and what no draft has is left out [OWN-07]', () => {
  const times = { createdAt: '2019-06-10T08:15:00.000Z', updatedAt: '2019-06-11T08:15:00.000Z' }
  const signature = { authorName: 'Nightingale', postType: 'premium', form: 'verse' }
  const writeOf = (more: object) =>
    planImport(aFile([aPost('Rain', more)], { format: 'zimmer' }), new WritingInMemory().stored).items.at(-1)!
      .write
  expect(writeOf({ ...times, ...signature })).toMatchObject({ ...times, fields: signature })
  const odd = { updatedAt: 'soon', authorName: 'n'.repeat(1001), postType: 'secret', form: 'song' }
  expect(writeOf(odd)).toMatchObject({
    createdAt: null,
    updatedAt: null,
    fields: { authorName: null, postType: 'standard', form: null },
  })
})

test('only a text that is alone in its day keeps the time of its last change [OWN-07]', () => {
  const updatedAt = '2019-06-10T08:15:00.000Z'
  const writingTimes = (entries: ImportedEntry[], writing = new WritingInMemory()) =>
    planImport(aFile(entries), writing.stored).items.flatMap(({ write }) =>
      write?.kind === 'day' ? [write.writtenAt] : [],
    )
  expect(writingTimes([aDay('Rain', { updatedAt })])).toEqual([updatedAt])
  expect(writingTimes([aDay('Rain', { updatedAt }), aDay('Sun', { updatedAt })])).toEqual([undefined])
  const writing = new WritingInMemory()
  writing.write('diary', '2019-06-10', 'Wind')
  expect(writingTimes([aDay('Rain', { updatedAt })], writing)).toEqual([undefined])
})

test('posts without room among the 200 drafts, and those that are too long, become documents with their date [OWN-12 LOOP-05]', async () => {
  const writing = new WritingInMemory()
  const posts = Array.from({ length: 202 }, (_, n) =>
    aPost(`Post ${n}`, { createdAt: '2019-06-10T08:15:00Z', place: `${n}` }),
  )
  const file = aFile([aPost('x'.repeat(100_001), { place: 'long' }), ...posts], { format: 'ghost' })
  const written = { diary: 0, calendar: 0, draft: 200, document: 3 }
  expect(countWrites(planImport(file, writing.stored))).toEqual(written)
  const plan = await importInto(writing, file)
  expect(countWrites(plan)).toEqual(written)
  expect(plan.items.at(-1)!.write).toEqual({
    kind: 'document',
    id: undefined,
    source: 'Ghost',
    title: 'Post 201',
    content: 'Post 201',
    createdAt: '2019-06-10T08:15:00.000Z',
    place: '201',
  })
  const room = 'There is no room for more than 200 drafts: it becomes a document.'
  expect(totalsOf(plan).problems).toEqual([
    { kind: 'note', place: 'long', reason: 'It is too long for a draft: it becomes a document.' },
    { kind: 'note', place: '200', reason: room },
    { kind: 'note', place: '201', reason: room },
  ])
  expect(countsOf(planImport(file, writing.stored))).toEqual({ ...noCounts(), same: 203 })
})

const id = '01900000-0000-7000-8000-000000000001'

test('a draft and a document with the same text, which an archive may hold, are both kept [OWN-07 OWN-10]', async () => {
  const document = {
    kind: 'document',
    source: 'Ghost',
    title: 'Rain',
    text: 'Rain',
    createdAt: null,
    place: 'd',
  } as const
  for (const entries of [
    [aPost('Rain'), document],
    [document, aPost('Rain')],
  ]) {
    const writing = new WritingInMemory()
    expect(countsOf(await importInto(writing, aFile(entries)))).toEqual({ ...noCounts(), new: 2 })
    expect([writing.drafts.length, writing.documents.length]).toEqual([1, 1])
    expect(countsOf(planImport(aFile(entries), writing.stored))).toEqual({ ...noCounts(), same: 2 })
  }
  const writing = new WritingInMemory()
  await importInto(writing, aFile([aPost('Rain')]))
  expect(countsOf(planImport(aFile([document]), writing.stored))).toEqual({ ...noCounts(), new: 1 })
})

test('a text of our archive keeps its id, so that an export after the import names the same file [OWN-07]', async () => {
  const writing = new WritingInMemory()
  const draft = aPost('Rain', { place: `drafts/${id}.md` })
  const document = {
    kind: 'document',
    source: 'Story',
    title: 'The well',
    text: 'It was deep.',
    createdAt: null,
    place: `documents/${id.replace('1.', '2.')}.md`,
  } as const
  await importInto(
    writing,
    aFile([draft, { ...document, place: 'documents/01900000-0000-7000-8000-000000000002.md' }], {
      format: 'zimmer',
    }),
  )
  expect([writing.drafts[0]!.id, writing.documents[0]!.id]).toEqual([id, id.replace(/1$/, '2')])
  // The person has changed the draft: the text of the archive is another one now.
  writing.drafts[0]!.content = 'Rain, again'
  await importInto(writing, aFile([draft], { format: 'zimmer' }))
  expect(writing.drafts.map(({ content }) => content)).toEqual(['Rain, again', 'Rain'])
})

// Few words and days, so that many entries meet on a day, repeat and contain each other.
const words = fc.array(fc.constantFrom('Rain', 'Sun', 'Rain\nSun', ' ', 'é', '\r\n', '\n\n', '🌒', '08:15'), {
  minLength: 0,
  maxLength: 4,
})
const text = words.map((each) => each.join('\n'))
const anEntry: fc.Arbitrary<ImportedEntry> = fc.oneof(
  fc.record({
    kind: fc.constant('day' as const),
    of: fc.constantFrom('diary' as const, 'calendar' as const),
    day: fc.constantFrom('2019-06-10', '2019-06-11', '1800-01-01'),
    time: fc.constantFrom(null, '08:15', '21:40'),
    text,
    place: fc.constantFrom('a', 'b'),
  }),
  fc.record({
    kind: fc.constant('draft' as const),
    title: fc.constantFrom('', 'Rain', 'Wind'),
    text,
    createdAt: fc.constantFrom(null, '2019-06-10T08:15:00Z', 'never'),
    category: fc.constantFrom(null, 'poetry', 'Weather'),
    tags: fc.array(fc.constantFrom('night', 'moon', ' '), { maxLength: 7 }),
    place: fc.constantFrom(`drafts/${id}.md`, 'b'),
  }),
  fc.record({
    kind: fc.constant('document' as const),
    source: fc.constantFrom('Story', ''),
    title: fc.constantFrom('', 'The well'),
    text,
    createdAt: fc.constant(null),
    place: fc.constantFrom(`documents/${id}.md`, 'b'),
  }),
)
const problems = fc.array(fc.record({ place: fc.constant('a'), reason: fc.constant('No date.') }), {
  maxLength: 2,
})
const anyFile: fc.Arbitrary<ImportedFile> = fc.record({
  format: fc.constantFrom(...importFormats),
  entries: fc.array(anEntry, { maxLength: 12 }),
  notUnderstood: problems,
  skipped: problems,
})
const before = fc.dictionary(fc.constantFrom('2019-06-10', '2019-06-11'), text)

const isStorable = (entry: ImportedEntry) =>
  /\S/.test(entry.text) && !(entry.kind === 'day' && entry.day < '1900')

function standsIn(writing: WritingInMemory, entry: ImportedEntry): boolean {
  const lines = entry.text.replaceAll('\r\n', '\n')
  if (entry.kind === 'day') return writing[entry.of].get(entry.day)!.text.includes(lines)
  return [...writing.drafts, ...writing.documents].some(({ content }) => content.includes(lines))
}

test('whatever a file holds and a person has, the counts add up, all old text stays, and a second import writes nothing [OWN-10 OWN-11 OWN-18]', async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, before, fc.nat(12), async (file, days, itemsBeforeCancel) => {
      const writing = new WritingInMemory()
      for (const [each, stored] of Object.entries(days)) writing.write('diary', each, stored)
      const held = file.entries.length + file.notUnderstood.length + file.skipped.length
      const sum = (plan: ImportPlan) => Object.values(countsOf(plan)).reduce((all, count) => all + count, 0)

      // The first import is cancelled after some of its items.
      const first = planImport(file, writing.stored)
      expect(sum(first)).toBe(held)
      await apply({ ...first, items: first.items.slice(0, itemsBeforeCancel) }, writing)
      const applied = await importInto(writing, file)
      expect(sum(applied)).toBe(held)

      const overwritten = Object.entries(days).filter(
        ([each, stored]) => /\S/.test(stored) && !writing.diary.get(each)!.text.startsWith(stored),
      )
      expect(overwritten).toEqual([])
      const lost = file.entries.filter((entry) => isStorable(entry) && !standsIn(writing, entry))
      expect(lost).toEqual([])
      const again = planImport(file, writing.stored)
      expect(sum(again)).toBe(held)
      expect(countsOf(again)).toMatchObject({ new: 0, conflict: 0 })
      expect(again.items.filter(({ write }) => write !== undefined)).toEqual([])
    }),
    { numRuns: 500, seed: 20261126 },
  )
})

test('a report names the counts and each problem in a line of its own, whatever the names of the file hold [OWN-13]', () => {
  const problems = [{ kind: 'skipped', place: 'a\nnew 9\u001b[2J.json', reason: 'A picture.' }] as const
  expect(importReport({ ...noCounts(), new: 2, skipped: 1 }, problems)).toBe(
    'new 2, same 0, conflict 0, not understood 0, skipped 1\na new 9 [2J.json: A picture.',
  )
})
