import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { readFrontMatter } from '#contract/archive/front-matter.ts'
import { manifestPath } from '#contract/archive/layout.ts'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createDocument, getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { createDraft, getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { exportArchive } from './export.ts'
import { importIntoAccount } from './import.ts'
import { readInChildProcess } from './read-in-child-process.ts'

const email = 'ana@example.org'
const { signal } = new AbortController()

/** An instance with Ana, and the two commands for her. */
async function startInstance() {
  const t = await startTestApp({ config: { diaryKey: 'a1'.repeat(32), limitsRates: false } })
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-round-trip-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const ana = await t.person({ email, firstName: 'Ana', lastName: 'Lima' })
  const place = { ...t, connection: {}, database: t.db, random: systemRandom }
  const exportTo = async (name: string) => {
    const file = join(folder, name)
    await exportArchive(place, { email, file }, signal)
    return file
  }
  const importFrom = async (file: string) =>
    importIntoAccount(place, await readInChildProcess(file, signal), { email, applies: true }, signal)
  return { ...t, ana, exportTo, importFrom }
}

const text = '---\nRain: é e\u0301 🌒\r\n\r\nand a line end at the end\n'
const stored = text.replaceAll('\r\n', '\n')

async function writeEverything(ana: Client, ben: Client) {
  for (const date of ['2019-06-10', '2025-06-09'])
    await ana.does(saveDiaryEntry, { input: { date, content: `${text}${date}` } })
  await ana.does(saveCalendarNote, { input: { date: '2025-06-10', note: text } })
  await ana.does(saveCalendarNote, { input: { date: '2025-06-09', note: 'Emptied' } })
  await ana.does(saveCalendarNote, { input: { date: '2025-06-09', note: '' } })
  const signature = { authorName: 'Nightingale', postType: 'premium', form: 'verse' } as const
  await ana.does(createDraft, {
    input: { content: text, category: 'Poetry', tags: ['night', 'a: b'], ...signature },
  })
  const createdAt = '2015-03-01T10:00:00.000Z'
  await ana.does(createDocument, { input: { source: 'Ghost', title: 'A: "b"', content: text, createdAt } })
  await ana.does(submitPost, { input: { content: 'A lamp\n\nIt burned.', authorName: 'Ana Lima' } })
  const { id } = await ana.does(createRoom, { input: aRoom({ name: 'The ferry', duration: 15 }) })
  await ana.does(sendPassage, { params: { id }, input: { content: 'It sailed at night.' } })
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  await ben.does(addFriend, { input: { friendUserId: ana.me.id } })
  await ana.does(sendMessage, {
    input: { receiverId: ben.me.id, messageType: 'text', content: 'Good night' },
  })
}

const kept = /^(?:diary|calendar|drafts|documents)\/.*\.md$/

/** The checksums of the days, drafts and documents of an archive by their paths. */
async function checksumsOf(file: string, paths: ReadonlySet<string>): Promise<Record<string, string>> {
  const manifest = unzipSync(await readFile(file))[manifestPath]!
  const { files } = JSON.parse(Buffer.from(manifest).toString()) as {
    files: { path: string; sha256: string }[]
  }
  return Object.fromEntries(
    files
      .filter(({ path }) => paths.has(path))
      .map(({ path, sha256 }) => [path, sha256])
      .toSorted(),
  )
}

/** The texts of an archive by their paths. */
async function textsOf(file: string, folders: RegExp): Promise<Record<string, string>> {
  const files = Object.entries(unzipSync(await readFile(file)))
  return Object.fromEntries(
    files
      .filter(([path]) => folders.test(path))
      .map(([path, bytes]) => [path, readFrontMatter(Buffer.from(bytes).toString()).text])
      .toSorted(),
  )
}

test('a person who moves to another instance has the same files of days, drafts and documents there; posts are drafts, and stories and conversations are documents [OWN-07 OWN-12 OWN-23]', async () => {
  const from = await startInstance()
  await writeEverything(from.ana, await from.person({ firstName: 'Ben' }))
  from.clock.advance(16 * 60_000)
  const archive = await from.exportTo('from.zip')

  const to = await startInstance()
  to.clock.advance(24 * 60 * 60_000)
  expect(await to.importFrom(archive)).toMatch(/^new 8, same 0, conflict 0, not understood 0, skipped \d+\n/)
  const moved = await to.exportTo('to.zip')
  const before = await textsOf(archive, kept)
  const paths = new Set(Object.keys(before))
  expect(paths.size).toBe(5)
  expect(await textsOf(moved, kept)).toMatchObject(before)
  expect(await checksumsOf(moved, paths)).toEqual(await checksumsOf(archive, paths))

  const drafts = await Promise.all(
    (await to.ana.does(listDrafts)).map(({ id }) => to.ana.does(getDraft, { params: { id } })),
  )
  expect(drafts.map(({ content }) => content).toSorted()).toEqual([stored, 'A lamp\n\nIt burned.'].toSorted())
  expect(drafts.find(({ content }) => content.startsWith('A lamp'))).toMatchObject({ authorName: 'Ana Lima' })
  const documents = await Promise.all(
    (await to.ana.does(listDocuments)).map(({ id }) => to.ana.does(getDocument, { params: { id } })),
  )
  const whole = await textsOf(archive, /^(?:stories|messages)\/.*\.md$/)
  expect(documents.map(({ content }) => content).toSorted()).toEqual(
    [stored, ...Object.values(whole)].toSorted(),
  )
  expect(documents.find(({ content }) => content === stored)).toMatchObject({
    source: 'Ghost',
    title: 'A: "b"',
    createdAt: '2015-03-01T10:00:00.000Z',
  })
})

test('an archive that is imported where it was made, or twice, changes no day, draft or document that is there [OWN-10]', async () => {
  const t = await startInstance()
  await writeEverything(t.ana, await t.person())
  t.clock.advance(16 * 60_000)
  const archive = await t.exportTo('ana.zip')
  // The post, the story and the conversation are no drafts and documents yet.
  expect(await t.importFrom(archive)).toMatch(/^new 3, same 5, conflict 0, not understood 0, /)
  expect((await t.ana.does(getDiary)).map(({ content }) => content)).toEqual([
    `${stored}2019-06-10`,
    `${stored}2025-06-09`,
  ])
  const before = await contentOf(t.db)
  expect(await t.importFrom(archive)).toMatch(/^new 0, same 8, conflict 0, not understood 0, /)
  expect(await contentOf(t.db)).toEqual(before)
})
