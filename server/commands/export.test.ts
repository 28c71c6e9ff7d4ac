import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { closeAbuseReport, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { registerByOnboarding } from '#contract/account/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import type { ArchiveCalls } from '#contract/archive/calls.ts'
import { readFrontMatter } from '#contract/archive/front-matter.ts'
import { Manifest } from '#contract/archive/manifest.ts'
import { messageFiles } from '#contract/archive/messages.ts'
import { addBookmark } from '#contract/bookmarks/endpoints.ts'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createDocument } from '#contract/documents/endpoints.ts'
import { createDraft } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { changePost, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { followPerson } from '#contract/follows/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { deleteMessage, listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { createRoom, getRoomStory, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { pathOf } from '#contract/endpoint.ts'
import { roomMembers } from '#server/features/rooms/schema.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { inMinutes, schedule } from '#server/testing/scheduling.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { exportArchive } from './export.ts'

/** Stands in every text that is none of Ana's archive. */
const foreign = 'foreign0f9a'
const diaryKey = 'a1'.repeat(32)

async function start(config: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({
    config: { diaryKey, limitsRates: false, publicOrigin: 'https://z.example' },
    ...config,
  })
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-export-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'ana.zip')
  const ana = t.visitor()
  const input = { name: 'Ana Lima', email: 'ana@example.org', passcode: 'firstpasscode' }
  const writingSample = 'I write at night,\nmostly.'
  ana.user = (await ana.does(registerByOnboarding, { input: { ...input, writingSample } })).user
  const run = (more: { email?: string; file?: string; config?: object; signal?: AbortSignal } = {}) => {
    const place = { connection: t.connection, database: t.db, clock: t.clock, random: systemRandom }
    return exportArchive(
      { ...place, config: { ...t.config, ...more.config } },
      { email: 'ana@example.org', file, ...more },
      more.signal ?? new AbortController().signal,
    )
  }
  const read = async () => {
    const files = unzipSync(await readFile(file))
    const textOf = (path: string) => Buffer.from(files[path]!).toString()
    return { files, textOf, jsonOf: (path: string) => JSON.parse(textOf(path)) as unknown }
  }
  return { ...t, folder, file, ana, run, read }
}

const befriend = async (one: Client, other: Client) => {
  await one.does(addFriend, { input: { friendUserId: other.me.id } })
  await other.does(addFriend, { input: { friendUserId: one.me.id } })
}
const write = (from: Client, to: Client, content: string) =>
  from.does(sendMessage, { input: { receiverId: to.me.id, messageType: 'text', content } })

/** Ana has something of every kind, and others have texts that Ana has no part in. */
async function writeEverything(t: Awaited<ReturnType<typeof start>>) {
  const { ana, db, clock } = t
  const [ben, dora, admin] = [await t.person({ firstName: 'Ben' }), await t.person(), await t.admin()]
  for (const friend of [ben, dora]) await befriend(ana, friend)
  await befriend(ben, dora)
  await ana.does(changeSettings, { input: { introduction: 'I am Ana.' } })
  for (const [who, text] of [
    [ana, '---\nRain, and a line end at the end\n'],
    [ben, foreign],
  ] as const) {
    await who.does(saveDiaryEntry, { input: { date: '2025-06-09', content: text } })
    await who.does(saveCalendarNote, { input: { date: '2025-06-10', note: text } })
    await who.does(createDocument, { input: { source: 'Ghost', title: 'A: "b"', content: text } })
    await who.does(createDraft, { input: { content: text, authorName: 'A: "b"', tags: ['night'] } })
  }
  const post = (who: Client, content: string, more: object = {}) =>
    who.does(submitPost, { input: { content, authorName: 'Ana Lima', type: 'premium', ...more } })
  const { id: changed, createdAt: base } = await post(ana, 'An early lamp', { tags: ['night'] })
  await ana.does(changePost, { params: { id: changed }, input: { content: 'A late lamp', base } })
  const { id: takenBack } = await post(ana, 'A lamp that was put out')
  await ana.does(takeBackPost, { params: { id: takenBack } })
  const publishAt = inMinutes(t, 1000)
  const scheduled = await schedule(ana, 'A lamp of tomorrow', publishAt)
  const { id: hidden } = await post(ben, `${foreign} hidden`)
  await ana.does(addBookmark, { params: { postId: hidden } })
  await admin.does(changePostVisibility, { params: { id: hidden }, input: { isVisible: false } })
  const { id: kept } = await post(ben, 'The ferry\n\nIt sailed.')
  await ana.does(addBookmark, { params: { postId: kept } })
  await ben.does(changeSettings, { input: { hasPage: true } })
  await ana.does(followPerson, { params: { personId: ben.me.id } })

  const tell = async (writers: Client[], content: string, more: Parameters<typeof aRoom>[0] = {}) => {
    const { id } = await ben.does(createRoom, { input: aRoom({ name: 'The ferry', duration: 15, ...more }) })
    for (const writer of writers) {
      if (more.isPublic !== false) await writer.does(joinRoom, { params: { id } })
      await writer.does(sendPassage, { params: { id }, input: { content } })
    }
    return id
  }
  const invited = { isPublic: false, invitedFriends: [ana.me.id] }
  const story = await tell([ben, ana], 'It sailed at night.', invited)
  await tell([ben], foreign)
  const left = await tell([ben, ana], foreign, invited)
  await db.delete(roomMembers).where(eq(roomMembers.roomId, left))
  clock.advance(16 * 60_000)
  const open = await tell([ana], 'It has not arrived.', { duration: 30 })
  await write(ben, ana, 'Good evening')
  await write(ana, ben, 'Good **night**')
  await write(ben, dora, foreign)
  await write(dora, ana, foreign)
  await ana.does(blockPerson, { input: { userId: dora.me.id } })
  const { id } = await ben.does(reportAbuse, {
    input: { kind: 'person', targetId: ana.me.id, reason: foreign },
  })
  await admin.does(closeAbuseReport, {
    params: { id },
    input: { outcome: 'warned', note: foreign, warning: 'Please be kind.' },
  })
  return { ben, dora, changed, takenBack, scheduled, publishAt, story, open, kept }
}

test('an operator exports everything of a person, and nothing of others, while the texts are encrypted [OWN-06 OWN-23 S44]', async () => {
  const t = await start()
  const { ana, db } = t
  const { ben, dora, changed, takenBack, scheduled, publishAt, story, open, kept } = await writeEverything(t)
  const before = await contentOf(db)
  const said = await t.run()
  expect(await contentOf(db)).toEqual(before)
  const { files, textOf, jsonOf } = await t.read()

  const paths = Object.keys(files)
  expect(said).toBe(`Everything of ana@example.org is in ${t.file}: ${paths.length} files.`)
  expect(paths.map((path) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')).toSorted()).toEqual(
    [
      'README.txt',
      'calendar/2025-06-10.md',
      'diary.dayone.json',
      'diary/2025-06-09.md',
      'documents/ID.md',
      'drafts/ID.md',
      'friends.json',
      'manifest.json',
      `messages/${ben.me.id}.json`,
      `messages/${ben.me.id}.md`,
      'notifications.json',
      'posts/2025-06-10-ID.md',
      'posts/2025-06-10-ID.md',
      'posts/2025-06-10-ID.md',
      'posts/ID/2025-06-10-ID.md',
      'reading.json',
      'settings.json',
      'stories/ID/passages.json',
      'stories/ID/passages.json',
      'stories/ID/story.epub',
      'stories/ID/story.md',
    ].toSorted(),
  )
  for (const path of paths) expect([path, textOf(path)]).not.toContainEqual(expect.stringContaining(foreign))

  const dayText = '---\nRain, and a line end at the end\n'
  expect(readFrontMatter(textOf('diary/2025-06-09.md'))).toEqual({
    fields: { date: '2025-06-09', created_at: null, updated_at: expect.stringMatching(/Z$/) },
    text: dayText,
  })
  expect(readFrontMatter(textOf('calendar/2025-06-10.md')).text).toBe(dayText)
  expect(jsonOf('diary.dayone.json')).toEqual({
    metadata: { version: '1.0' },
    entries: [
      {
        uuid: expect.stringMatching(/^[0-9A-F]{32}$/),
        creationDate: '2025-06-09T12:00:00Z',
        modifiedDate: expect.stringMatching(/^2025-06-10T12:\d\d:\d\dZ$/),
        timeZone: 'UTC',
        isAllDay: true,
        text: dayText,
      },
    ],
  })
  const fileOf = (part: string) => readFrontMatter(textOf(paths.find((path) => path.includes(part))!))
  expect(fileOf(`posts/2025-06-10-${changed}`)).toMatchObject({
    fields: { id: changed, status: 'published', author_name: 'Ana Lima', type: 'premium', tags: ['night'] },
    text: 'A late lamp',
  })
  expect(fileOf(`posts/${changed}/`)).toMatchObject({
    fields: { was_published: true },
    text: 'An early lamp',
  })
  expect(fileOf(`-${takenBack}`)).toMatchObject({
    fields: { status: 'deleted' },
    text: 'A lamp that was put out',
  })
  expect(fileOf(`-${scheduled}`)).toMatchObject({
    fields: { status: 'scheduled', publish_at: publishAt },
  })
  expect(fileOf('drafts/')).toMatchObject({
    fields: { author_name: 'A: "b"', tags: ['night'] },
    text: dayText,
  })
  expect(fileOf('documents/')).toEqual({
    fields: { source: 'Ghost', title: 'A: "b"', created_at: null },
    text: dayText,
  })
  const messages = jsonOf(`messages/${ben.me.id}.json`) as object[]
  expect(messages).toEqual(await ana.does(listMessages, { params: { friendId: ben.me.id } }))
  expect(textOf(`messages/${ben.me.id}.md`)).toMatch(
    /^# Ben Test\n\n---\n\n\*\*Ben Test\*\*, 2025-06-10 12:16 UTC\n\nGood evening\n\n---\n\n\*\*Ana Lima\*\*, .*\n\nGood \*\*night\*\*\n$/,
  )
  expect(jsonOf(`stories/${story}/passages.json`)).toMatchObject([
    { position: 1, content: 'It sailed at night.', author: `User ${ben.me.id}`, isMine: false },
    { position: 2, content: 'It sailed at night.', author: `User ${ana.me.id}`, isMine: true },
  ])
  for (const format of ['md', 'epub'] as const) {
    const url = pathOf(getRoomStory, { params: { id: story, format } })
    const answer = await ana.request({ method: 'GET', url })
    expect(Buffer.from(files[`stories/${story}/story.${format}`]!).equals(answer.rawPayload)).toBe(true)
  }
  expect(jsonOf(`stories/${open}/passages.json`)).toMatchObject([
    { content: 'It has not arrived.', isMine: true },
  ])
  expect(jsonOf('friends.json')).toMatchObject({
    friends: [{ id: ben.me.id }],
    blocked: [{ id: dora.me.id }],
  })
  expect(jsonOf('settings.json')).toMatchObject({
    account: { email: 'ana@example.org', firstName: 'Ana' },
    introduction: 'I am Ana.',
    writingSample: 'I write at night,\nmostly.',
  })
  expect(textOf('settings.json')).not.toContain('passcode')
  expect(jsonOf('reading.json')).toMatchObject({ bookmarks: [{ id: kept }], follows: [{ id: ben.me.id }] })
  expect(jsonOf('notifications.json')).toMatchObject([
    { type: 'person.warned', data: { about: 'person', text: 'Please be kind.' } },
    { type: 'room.invited', data: { isMember: false } },
    { type: 'room.invited', data: { id: story } },
    { type: 'friend.added' },
  ])
})

test('the manifest has the checksum of every other file, and a second export has the same files [OWN-06 OWN-23]', async () => {
  const t = await start()
  await writeEverything(t)
  await t.run()
  const { files, jsonOf } = await t.read()
  const manifest = Manifest.parse(jsonOf('manifest.json'))
  expect(manifest).toMatchObject({
    format: 'zimmer-archive',
    version: 1,
    origin: 'https://z.example',
    person: { id: t.ana.me.id, name: 'Ana Lima', email: 'ana@example.org' },
  })
  const { 'manifest.json': _, ...others } = files
  expect(manifest.files).toEqual(
    Object.entries(others).map(([path, bytes]) => ({
      path,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
  )
  await rm(t.file)
  await t.run()
  expect(Manifest.parse((await t.read()).jsonOf('manifest.json')).files).toEqual(manifest.files)
})

test('a diary that takes several answers is exported whole, newest day first, and the same for other programs [OWN-06]', async () => {
  const t = await start()
  const days = Array.from({ length: 230 }, (_, n) => addDays('2025-06-09', -n))
  for (const date of days) await t.ana.does(saveDiaryEntry, { input: { date, content: `On ${date}` } })
  await t.run()
  const { files, jsonOf } = await t.read()
  const paths = Object.keys(files).filter((path) => path.startsWith('diary/'))
  expect(paths).toEqual(days.map((day) => `diary/${day}.md`))
  const { entries } = jsonOf('diary.dayone.json') as { entries: { text: string; uuid: string }[] }
  expect(entries.map(({ text }) => text)).toEqual(days.map((day) => `On ${day}`))
  expect(new Set(entries.map(({ uuid }) => uuid)).size).toBe(days.length)
})

test('a long conversation is exported whole and in order, also when a message is deleted meanwhile [OWN-06]', async () => {
  const { ana, person } = await start()
  const ben = await person()
  await befriend(ana, ben)
  const sent: DirectMessage[] = []
  // An answer has at most half a megabyte, so there are four.
  for (let n = 0; n < 100; n++)
    sent.push(await write(n % 2 ? ana : ben, n % 2 ? ben : ana, `${n} ${'🌒'.repeat(4900)}`))
  const files = messageFiles(callsOver(ana), { id: ana.me.id, name: 'Ana Lima' })
  const read = async () => Array.fromAsync((await files.next()).value!.content as AsyncIterable<string>)
  expect(JSON.parse((await read()).join(''))).toEqual(sent)
  const { value } = await files.next()
  await ben.does(deleteMessage, { params: { id: sent[60]!.id } })
  const text = (await Array.fromAsync(value!.content as AsyncIterable<string>)).join('')
  const numbers = [...text.matchAll(/^(\d+) 🌒/gm)].map(([, n]) => Number(n))
  expect(numbers).toEqual(sent.map((_, n) => n).filter((n) => n !== 60))
})

/** The calls of a person as requests. */
const callsOver = (person: Client): ArchiveCalls => ({
  async read(endpoint, sent) {
    const { body, headers } = await person.tries(endpoint, sent as object)
    return { output: body as never, nextBefore: headers['next-before'] as string | undefined }
  },
  readFile: () => Promise.reject(new Error('No file is asked for.')),
})

test('only the operator can read the file, and a file that is there is refused and stays [OWN-23]', async () => {
  const t = await start()
  await t.run()
  expect((await stat(t.file)).mode & 0o777).toBe(0o600)
  await writeFile(t.file, 'mine')
  await expect(t.run()).rejects.toThrow(`There is a file ${t.file} already: name one that is not there.`)
  expect(await readFile(t.file, 'utf8')).toBe('mine')
})

test.each([
  ['somebody unknown', { email: 'nobody@example.org' }, 'Nobody is registered as nobody@example.org.'],
  ['texts of another key', { config: { diaryKey: 'b2'.repeat(32) } }, /^The diary is locked/],
  ['texts whose key is missing', { config: { diaryKey: undefined } }, /^The diary is locked/],
])(
  'an export of %s says so, and leaves no file and no change [OWN-23 S44]',
  async (_what, more, sentence) => {
    const t = await start()
    await t.ana.does(saveDiaryEntry, { input: { date: '2025-06-09', content: 'Rain' } })
    const before = await contentOf(t.db)
    await expect(t.run(more)).rejects.toThrow(sentence)
    expect(await readdir(t.folder)).toEqual([])
    expect(await contentOf(t.db)).toEqual(before)
  },
)

test('an interrupted export leaves no file [OWN-23]', async () => {
  const t = await start()
  for (let n = 1; n <= 9; n++)
    await t.ana.does(saveDiaryEntry, { input: { date: `2025-06-0${n}`, content: '🌒'.repeat(100_000) } })
  const interruption = new AbortController()
  const running = t.run({ signal: interruption.signal })
  await expect.poll(() => readdir(t.folder)).toHaveLength(1)
  interruption.abort()
  await expect(running).rejects.toThrow('aborted')
  expect(await readdir(t.folder)).toEqual([])
})
