import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { erasePassage } from '#contract/erasing/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { listPersonStories } from '#contract/people/endpoints.ts'
import {
  createRoom,
  joinRoom,
  listFinishedRooms,
  listPassages,
  listRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { erasedMark } from '#contract/rooms/room.ts'
import { countRoomsThatEnded } from '#server/features/rooms/index.ts'
import { filesOf } from '#server/features/rooms/story/testing.ts'
import { contentOf } from '#server/testing/content.ts'
import { messengers, startTwoApps } from '#server/testing/messengers.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { canary, placesOfCanary } from '#server/testing/canary.ts'

const never = new AbortController().signal

async function start(more: Parameters<typeof aRoom>[0] = {}) {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, boss] = [
    await t.person({ firstName: 'Ana', lastName: 'Reed' }),
    await t.person(),
    await t.admin(),
  ]
  const { id } = await ana.does(createRoom, { input: aRoom({ duration: 15, ...more }) })
  if (more.isPublic !== false) await ben.does(joinRoom, { params: { id } })
  const write = async (who: Client, content: string) =>
    (await who.does(sendPassage, { params: { id }, input: { content } })).id
  return {
    ...t,
    ana,
    ben,
    boss,
    id,
    write,
    read: async (reader: Client = t.visitor()) =>
      (await reader.does(listPassages, { params: { id } })).map(
        ({ position, content, isErased, userId }) => ({
          position,
          content,
          isErased,
          userId,
        }),
      ),
    erase: (passageId: string, reason?: string) =>
      boss.does(erasePassage, { params: { id, passageId }, ...(reason && { input: { reason } }) }),
    places: () => placesOfCanary(t.db, t.config.dataDir),
    end: () => void t.clock.advance(15 * 60_000),
    get: async (url: string) => t.request({ method: 'GET', url }),
  }
}

test('an admin erases a passage: a mark stands at its position, and no table has its text [INST-13]', async () => {
  const { ana, ben, boss, write, read, erase, places, visitor } = await start()
  await write(ana, 'It was late.')
  const passage = await write(ben, canary)
  await ana.does(reportAbuse, { input: { kind: 'passage', targetId: passage, reason: 'Unkind.' } })
  expect((await places()).toSorted()).toEqual(['abuse_reports', 'room_messages'])
  await erase(passage)
  expect(await places()).toEqual([])
  expect(await read()).toEqual([
    { position: 1, content: 'It was late.', isErased: false, userId: ana.me.id },
    { position: 2, content: erasedMark, isErased: true, userId: ben.me.id },
  ])
  expect(await visitor().does(listRooms)).toMatchObject([{ newestPassage: erasedMark }])
  expect(await boss.does(listAbuseReports)).toMatchObject([
    { exists: false, roomId: expect.any(String), copy: { content: null } },
  ])
  const again = { kind: 'passage', targetId: passage, reason: 'Still unkind.' } as const
  expect(await boss.tries(reportAbuse, { input: again })).toMatchObject({ code: 'NothingToReport' })
})

test('the files, the feed and the page of a finished story have the mark in place of an erased passage [INST-13]', async () => {
  const t = await start()
  const { ana, ben, id, write, erase, end, get } = t
  await write(ana, 'It was late.')
  const passage = await write(ben, `${canary} and eight more words that nobody counts now`)
  end()
  await countRoomsThatEnded(t.db, never)
  const text = async (format: string) => (await get(`/api/zimmers/${id}/story.${format}`)).body
  const book = async () =>
    filesOf((await get(`/api/zimmers/${id}/story.epub`)).rawPayload)['EPUB/story.xhtml']!
  const urls = ['/stories/feed.atom', '/stories/feed.rss', '/stories/feed.json', `/stories/${id}`]
  const pages = urls.map((url) => async () => (await get(url)).body)
  const readers = [() => text('md'), () => text('txt'), book, ...pages]
  for (const read of readers) expect(await read()).toContain(canary)
  const preview = async () => (await get(`/preview/stories/${id}.png`)).headers.etag
  const pictureBefore = await preview()
  await erase(passage)
  for (const read of readers) {
    const shown = await read()
    expect(shown).not.toContain(canary)
    expect(shown).toContain(erasedMark)
  }
  // Its author is no contributor any more.
  expect(await text('txt')).toContain(`User ${ana.me.id}: 3 words, 100%`)
  expect(await text('txt')).not.toContain(`User ${ben.me.id}:`)
  expect(await t.visitor().does(listFinishedRooms)).toMatchObject([{ lineCount: 2, contributorCount: 1 }])
  expect(await preview()).not.toBe(pictureBefore)
  await countRoomsThatEnded(t.db, never)
  expect(await t.visitor().does(listFinishedRooms)).toMatchObject([{ contributorCount: 1 }])
})

test('the page of an author lists no erased passage [INST-13]', async () => {
  const { ana, visitor, id, write, erase, end } = await start()
  await ana.does(changeSettings, { input: { hasPage: true } })
  await ana.does(joinRoom, { params: { id }, input: { signsWithName: true } })
  const [one, two] = [await write(ana, 'One'), await write(ana, canary)]
  end()
  const params = { id: ana.me.id }
  const stories = () => visitor().does(listPersonStories, { params })
  expect(await stories()).toMatchObject([{ passageCount: 2, passages: [{ id: one }, { id: two }] }])
  await erase(two)
  expect(await stories()).toMatchObject([{ passageCount: 1, passages: [{ id: one }] }])
  await erase(one)
  expect(await stories()).toEqual([])
})

test.for(messengers)(
  'over %s everybody in a room learns of an erased passage at once, also after a reconnect [INST-13 R9]',
  async (messenger, context) => {
    const { app, other, atOther, person, admin, visitor } = await startTwoApps(messenger, context)
    const [ana, boss] = [await person(), await admin()]
    const { id } = await ana.does(createRoom, { input: aRoom() })
    const send = (content: string) => ana.does(sendPassage, { params: { id }, input: { content } })
    const first = await send('It was late.')
    const passage = await send(canary)
    const here = await openStream(app, ana, { rooms: [id] })
    const there = await openStream(other, visitor(), { rooms: [id] })
    const before = here.lastId
    await atOther(boss).does(erasePassage, { params: { id, passageId: passage.id } })
    for (const reader of [here, there])
      expect(await reader.receives('room.erased')).toEqual({ roomId: id, position: 2 })
    expect(await send('The lamp went out.')).toMatchObject({ position: 3 })
    for (const reader of [here, there])
      expect(await reader.receives('room.message')).toMatchObject({ position: 3, isErased: false })
    expect(first.isErased).toBe(false)
    const back = await openStream(app, ana, { rooms: [id], after: before })
    expect(await back.receives('room.erased')).toEqual({ roomId: id, position: 2 })
    expect(await back.receives('room.message')).toMatchObject({ position: 3 })
  },
)

test('an admin erases a passage of a private room by its id, as a report names it, and still cannot read the room [INST-13 S41]', async () => {
  const { db, ana, boss, id, write, erase, read, places } = await start({ isPublic: false })
  const passage = await write(ana, canary)
  await erase(passage)
  expect(await places()).toEqual([])
  expect(await read(ana)).toMatchObject([{ content: erasedMark }])
  expect(await boss.tries(listPassages, { params: { id } })).toMatchObject({ code: 'PrivateRoom' })
  expect(await db.$count(sql`room_members`)).toBe(1)
})

test('the audit log names the admin, the room, the passage and its author, and the author reads the reason in the bell [INST-13 LOOP-23]', async () => {
  const { ben, boss, id, write, erase } = await start()
  const passage = await write(ben, canary)
  await erase(passage, 'It names a neighbour.')
  const [entry] = await boss.does(listAuditEntries, { query: { action: 'passage-erased' } })
  expect(entry).toMatchObject({
    actorId: boss.me.id,
    subjectId: passage,
    details: { room: id, author: ben.me.id, reason: 'It names a neighbour.' },
  })
  expect(await ben.does(listNotifications)).toEqual([
    {
      id: expect.any(String),
      type: 'passage.erased',
      data: {
        id: passage,
        room: expect.objectContaining({ id, name: 'The long night' }),
        erasedAt: expect.stringMatching(/^2025-06-10T12:/),
        reason: 'It names a neighbour.',
      },
    },
  ])
})

test('a passage of a deleted account is erased, and the bytes of the story are counted without it [INST-13]', async () => {
  const { db, ana, ben, id, write, erase, read } = await start()
  await write(ana, 'It was late.')
  const bytes = async () =>
    (await db.execute<{ bytes: number }>(sql`select story_bytes as bytes from rooms where id = ${id}`))
      .rows[0]!.bytes
  const passage = await write(ben, 'größer')
  await ben.does(deleteAccount)
  const before = await bytes()
  await erase(passage)
  expect(before - (await bytes())).toBe(Buffer.byteLength('größer'))
  expect(await read()).toMatchObject([{ position: 1 }, { isErased: true, userId: null }])
})

test('only an admin erases a passage, and a refused or impossible erasure changes nothing [INST-13 S6]', async () => {
  const t = await start()
  const { ana, ben, boss, id, write, db } = t
  const passageId = await write(ana, 'It was late.')
  const elsewhere = await ana.does(createRoom, { input: aRoom() })
  const before = await contentOf(db)
  const params = { id, passageId }
  for (const [who, status] of [
    [t.visitor(), 401],
    [await t.guest(), 403],
    [ben, 403],
    [ana, 403],
  ] as const)
    expect(await who.tries(erasePassage, { params })).toMatchObject({ status })
  const unknown = '01890000-0000-7000-8000-00000000dead'
  for (const wrong of [
    { id, passageId: unknown },
    { id: elsewhere.id, passageId },
    { id: unknown, passageId },
    { id: 'x', passageId },
  ])
    expect(await boss.tries(erasePassage, { params: wrong })).toMatchObject({ code: 'PassageNotFound' })
  const { rooms, room_messages, inbox_events } = await contentOf(db)
  expect({ rooms, room_messages, inbox_events }).toEqual({
    rooms: before.rooms,
    room_messages: before.room_messages,
    inbox_events: before.inbox_events,
  })
})
