import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pathOf } from '#contract/endpoint.ts'
import { listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import {
  createRoom,
  getRoomStory,
  joinRoom,
  listFeedRooms,
  listFinishedRooms,
  listOwnStories,
  listPassages,
  listRoomMembers,
  listRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { storyPath } from '#contract/rooms/paths.ts'
import { getTurn, passTurn, renewLease } from '#contract/rooms/table/endpoints.ts'
import { createLog } from '#server/log.ts'
import { contentOf } from '#server/testing/content.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { openStream, until } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

const secret = 'canary0f9a'
const tail = 'and the lamp went out'
const text = `${secret} was here,\n${tail}\n  \n`

/** Ana has written the first passage of a folded room, and Ben holds the turn. Cleo is a member, too. */
async function startFolded(more: NonNullable<Parameters<typeof aRoom>[0]> = {}) {
  const lines: string[] = []
  const logger = createLog('trace', { write: (line) => void lines.push(line) })
  const t = await startTestApp({ logger, config: { limitsRates: false } })
  const [ana, ben, cleo, admin] = [await t.person(), await t.person(), await t.person(), await t.admin()]
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round', isFolded: true, ...more }) })
  const params = { id }
  for (const each of [ben, cleo]) await each.does(joinRoom, { params })
  const write = (who: Client, turn: number, content: string) =>
    who.tries(sendPassage, {
      params,
      input: { content, turn },
      headers: { 'idempotency-key': `key${turn}` },
    })
  return { ...t, lines, ana, ben, cleo, admin, params, write }
}

test('no list, event, page, file, report, refusal or log has the text of a folded passage before the end, for anybody but its author [TURN-15 TURN-16]', async () => {
  const t = await startFolded()
  const { app, ana, ben, cleo, admin, params, write, lines, db, clock } = t
  const visitor = t.visitor()
  const rooms = [params.id]
  const readers = [visitor, ben, cleo, admin]
  const live = await Promise.all([...readers, ana].map((who) => openStream(app, who, { rooms })))
  const before = live.map(({ lastId }) => lastId)
  const answers = [await write(ana, 1, text), await write(ana, 1, text)]
  expect(answers).toMatchObject([
    { status: 201, body: { content: text, words: 8, folded: false } },
    { status: 201, body: { content: text } },
  ])
  for (const stream of live) await stream.receives('room.message', ({ content }) => content === '')
  const resumed = await Promise.all(
    [...readers, ana].map((who, i) => openStream(app, who, { rooms, after: before[i]! })),
  )
  for (const stream of resumed)
    await stream.receives('room.message', ({ folded, words }) => folded && words === 8)
  const reset = await Promise.all(
    [...readers, ana].map((who) => openStream(app, who, { rooms, after: 'unknown' })),
  )
  for (const stream of reset) await stream.receives('reset')

  const read: string[] = [...live, ...resumed, ...reset].map(({ text: received }) => received)
  const [passage] = await visitor.does(listPassages, { params })
  expect(passage).toMatchObject({ position: 1, content: '', folded: true, words: 8, userId: ana.me.id })
  for (const who of readers) {
    const calls = [
      { endpoint: listPassages, params },
      { endpoint: getTurn, params },
      { endpoint: listRooms },
      { endpoint: listFeedRooms },
      { endpoint: listFinishedRooms },
      { endpoint: listOwnStories },
      { endpoint: listRoomMembers, params },
      { endpoint: listAbuseReports },
      ...(['md', 'epub', 'txt'] as const).map((format) => ({
        endpoint: getRoomStory,
        params: { ...params, format },
      })),
    ]
    for (const { endpoint, ...sent } of calls)
      read.push((await who.request({ method: 'GET', url: pathOf(endpoint, sent) })).body)
    for (const url of [
      storyPath(params.id),
      `/zimmers?room=${params.id}`,
      '/feed.xml',
      '/stories.xml',
      '/sitemap.xml',
    ])
      read.push((await who.request({ method: 'GET', url })).body)
    const report = { kind: 'passage', targetId: passage!.id, reason: 'I cannot read it' } as const
    const refused = [
      await who.tries(reportAbuse, { input: report }),
      await who.tries(sendPassage, { params, input: { content: 'Now', turn: 1 } }),
    ]
    read.push(JSON.stringify(refused))
    expect(refused[0]!.status).toBe(who === visitor ? 401 : 404)
  }
  expect(read.join().includes(secret)).toBe(false)
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.join().includes(secret)).toBe(false)
  const { room_messages: stored, ...others } = await contentOf(db)
  expect(stored!.join()).toContain(secret)
  expect(JSON.stringify(others)).not.toContain(secret)

  expect((await ana.does(listPassages, { params }))[0]).toMatchObject({ content: text, folded: false })
  expect((await ben.does(getTurn, { params })).tail).toBe(tail)
  for (const who of [visitor, ana, cleo, admin]) expect((await who.does(getTurn, { params })).tail).toBeNull()

  clock.advance(31 * 60_000)
  for (const who of [...readers, ana])
    expect((await who.does(listPassages, { params }))[0]).toMatchObject({
      content: text,
      folded: false,
      words: 8,
    })
  const [live1] = live
  await live1!.receives('room.expired')
  expect(
    (await cleo.tries(reportAbuse, { input: { kind: 'passage', targetId: passage!.id, reason: 'Rude' } }))
      .status,
  ).toBe(201)
})

test('the tail is the end of the last line that is not blank, for the holder until the turn ends, and is stored nowhere [TURN-16]', async () => {
  const { ana, ben, cleo, params, write, db, clock } = await startFolded({ passageMax: 500 })
  const long = `${secret}${'🌙'.repeat(150)}${'a'.repeat(100)}`
  await write(ana, 1, `${long}\n \n`)
  const renewed = await ben.tries(renewLease, {
    params,
    input: { number: 2 },
    headers: { 'idempotency-key': 'renew' },
  })
  expect((renewed.body as { tail: string }).tail).toBe('🌙'.repeat(100) + 'a'.repeat(100))
  const passed = await ben.does(passTurn, { params, input: { number: 2 } })
  expect(passed).toMatchObject({ holderId: cleo.me.id, number: 3, tail: null })
  expect((await ben.does(getTurn, { params })).tail).toBeNull()
  expect((await cleo.does(getTurn, { params })).tail).toContain('🌙')
  expect((await contentOf(db)).idempotency_keys!.join()).not.toContain('🌙')
  // The process has just started, so the turn that is over does not pass on yet.
  clock.step({ database: 121_000 })
  expect(await cleo.does(getTurn, { params })).toMatchObject({ number: 3, holderId: cleo.me.id, tail: null })
})

test('after the end of a folded room the events that a stream has missed carry the texts [TURN-15]', async () => {
  const { app, ana, ben, params, write, clock } = await startFolded({ duration: 15 })
  const stream = await openStream(app, ben, { rooms: [params.id] })
  const after = stream.lastId
  stream.close()
  await write(ana, 1, text)
  clock.advance(16 * 60_000)
  const back = await openStream(app, ben, { rooms: [params.id], after })
  expect(await back.receives('room.message')).toMatchObject({ content: text, folded: false })
  await until(async () => ((await ben.does(listPassages, { params }))[0]!.folded ? undefined : true))
})

/** Each of them names how it keeps folded texts, or reads stories that have ended alone. */
const readersOfTexts = [
  'features/abuse-reports/queries.ts',
  'features/demo/rooms.ts',
  'features/people/queries.ts',
  'features/rooms/credit/chain.ts',
  'features/rooms/credit/receipts.ts',
  'features/rooms/erasing.ts',
  'features/rooms/live-queries.ts',
  'features/rooms/passages.ts',
  'features/rooms/queries.ts',
  'features/rooms/reporting.ts',
  'features/rooms/schema.ts',
  'features/rooms/story/story-queries.ts',
  'features/rooms/table/table-queries.ts',
  'features/rooms/table/turn-passages.ts',
  'features/syndication/queries.ts',
]

test('no other file of the server names the passages and a text [TURN-15]', async () => {
  const folder = join(import.meta.dirname, '../../..')
  const found: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name.startsWith('testing')) continue
    const source = await readFile(join(folder, name), 'utf8')
    if (/room_messages|roomPassages/.test(source) && /\bcontent\b|shownContent/.test(source)) found.push(name)
  }
  expect(found.filter((name) => name !== 'features/rooms/index.ts').toSorted()).toEqual(readersOfTexts)
})
