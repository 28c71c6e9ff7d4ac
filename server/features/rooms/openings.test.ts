import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { verify } from '#contract/rooms/credit/verify.ts'
import { pathOf } from '#contract/endpoint.ts'
import {
  createRoom,
  getRoom,
  getRoomStory,
  listFeedRooms,
  listFinishedRooms,
  listRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { sealOf } from '#server/testing/proved-story.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'

const opening = 'It rained upwards for a week.\nThen the council met.'

test('a person begins a room with an opening and a goal in words, and every reader gets both [BEGIN-01 BEGIN-02]', async () => {
  const { person, visitor } = await startTestApp()
  const ana = await person()
  for (const turns of ['free', 'round'] as const) {
    const room = await ana.does(createRoom, { input: aRoom({ turns, opening, wordGoal: 100_000 }) })
    expect(room).toMatchObject({ opening, wordGoal: 100_000 })
    const found = await visitor().does(getRoom, { params: { id: room.id } })
    expect(found).toMatchObject({ opening, wordGoal: 100_000 })
  }
  const rooms = await visitor().does(listRooms)
  expect(rooms.map((room) => [room.opening, room.wordGoal])).toEqual([
    [opening, 100_000],
    [opening, 100_000],
  ])
})

test('a room of the specified call has no opening and no goal [API-30 BEGIN-01 BEGIN-02]', async () => {
  const { person } = await startTestApp()
  const room = await (await person()).does(createRoom, { input: aRoom() })
  expect([room.opening, room.wordGoal]).toEqual([null, null])
})

test('only its members get the opening of a private room [BEGIN-01 S41]', async () => {
  const { person, visitor, admin, clock } = await startTestApp()
  const ana = await person()
  const made = await ana.does(createRoom, { input: aRoom({ isPublic: false, opening, wordGoal: 100 }) })
  expect(made.opening).toBe(opening)
  const params = { id: made.id }
  for (const reader of [visitor(), await person(), await admin()]) {
    const room = await reader.does(getRoom, { params })
    expect([room.opening, room.wordGoal]).toEqual([null, 100])
    for (const list of [listRooms, listFeedRooms])
      expect((await reader.does(list)).map((each) => each.opening)).toEqual([null])
  }
  clock.advance(31 * 60_000)
  expect((await ana.does(listFinishedRooms)).map((each) => each.opening)).toEqual([opening])
})

test.each([
  ['an empty opening', { opening: '' }, 'opening'],
  ['a blank opening', { opening: ' \n' }, 'opening'],
  ['an opening of 301 characters', { opening: '🌙'.repeat(301) }, 'opening'],
  ['an opening that is no text', { opening: null }, 'opening'],
  ['a goal of 99 words', { wordGoal: 99 }, 'wordGoal'],
  ['a goal of 100,001 words', { wordGoal: 100_001 }, 'wordGoal'],
  ['a goal of half a word', { wordGoal: 100.5 }, 'wordGoal'],
  ['a goal that is a text', { wordGoal: '500' }, 'wordGoal'],
])('a room with %s is refused and not stored [BEGIN-01 BEGIN-02 S42]', async (_what, more, field) => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const before = await contentOf(db)
  const answer = await ana.tries(createRoom, { input: { ...aRoom(), ...more } })
  expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', fields: { [field]: expect.any(String) } })
  expect(await contentOf(db)).toEqual(before)
})

test('the files of a story quote its opening below the description, and the seal does not contain it [BEGIN-01 CRED-03]', async () => {
  const { person, clock } = await startTestApp()
  const ana = await person()
  const description = 'By the river'
  const { id } = await ana.does(createRoom, { input: aRoom({ description, opening, duration: 15 }) })
  await ana.does(sendPassage, { params: { id }, input: { content: 'It was late.' } })
  clock.advance(15 * 60_000)
  const read = (format: 'epub' | 'md' | 'txt') =>
    ana.request({ url: pathOf(getRoomStory, { params: { id, format } }) })
  for (const format of ['md', 'txt'] as const)
    expect((await read(format)).body).toContain(`${description}\n\n“${opening}”\n\n`)
  const book = unzipSync((await read('epub')).rawPayload)
  expect(Buffer.from(book['EPUB/title.xhtml']!).toString()).toMatch(
    /“It rained upwards for a week\.[^]*met\.”/,
  )
  const seal = await sealOf(ana, id)
  expect(seal).not.toContain('upwards')
  expect(verify([seal])).toMatchObject({ outcome: 'verified' })
})
