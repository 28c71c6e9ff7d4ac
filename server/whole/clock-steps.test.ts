import { expect, test } from 'vitest'
import { changePassword, deleteAccount, getMe, login } from '#contract/account/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { createRoom, joinRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import { stored } from '../features/account/testing.ts'
import { aRoom } from '../testing/rooms.ts'
import { startTestApp } from '../testing/test-app.ts'

const minute = 60_000
const hour = 60 * minute
const newPassword = 'second pass'

test('after the clock of the database went back by an hour, an old session is not fresh, and a new sign-in is [R20 S14 S15]', async () => {
  const { person, clock, db } = await startTestApp()
  const [recent, old] = [await person({ email: 'ana@example.org', password: 'first pass' }), await person()]
  clock.advance(65 * minute)
  await old.does(getMe)
  await recent.does(login, { input: { email: 'ana@example.org', password: 'first pass' } })
  clock.step({ database: -hour })
  const before = await stored(db)
  for (const browser of [recent, old]) {
    expect((await browser.tries(changePassword, { input: { newPassword } })).status).toBe(403)
    expect((await browser.tries(deleteAccount)).status).toBe(403)
    expect((await browser.tries(getMe)).status).toBe(200)
  }
  expect(await stored(db)).toEqual(before)
  await recent.does(login, { input: { email: 'ana@example.org', password: 'first pass' } })
  expect((await recent.tries(changePassword, { input: { newPassword } })).status).toBe(200)
  expect((await recent.tries(deleteAccount)).status).toBe(200)
})

test.each([
  ['the clock of the host goes back', { host: -hour }],
  ['the clock of the host goes forth', { host: hour }],
  ['the clock of the database goes back', { database: -hour }],
  ['both go back', { host: -hour, database: -hour }],
  ['both go forth', { host: hour, database: hour }],
])(
  'when %s by an hour, people stay signed in, saves stay apart and passages stay in order [R20 S22]',
  async (_what, step) => {
    const { person, clock } = await startTestApp()
    const [ana, ben] = [await person(), await person()]
    // Long enough to outlast a step forth.
    const room = await ana.does(createRoom, { input: aRoom({ duration: 120 }) })
    const params = { id: room.id }
    const times: string[] = []
    const write = async (content: string) => {
      await ana.does(sendPassage, { params, input: { content } })
      const input = { date: '2025-06-10', content, base: times.at(-1) ?? null }
      times.push((await ana.does(saveDiaryEntry, { input })).updated_at!)
    }
    await write('before')
    clock.step(step)
    await ben.does(joinRoom, { params })
    await write('after')
    await write('at last')
    expect(times.toSorted()).toEqual(times)
    expect(new Set(times).size).toBe(3)
    const lines = await ben.does(listPassages, { params })
    expect(lines.map(({ position, content }) => [position, content])).toEqual([
      [1, 'before'],
      [2, 'after'],
      [3, 'at last'],
    ])
    clock.advance(3 * hour + minute)
    const late = await ana.tries(sendPassage, { params, input: { content: 'late' } })
    expect(late).toMatchObject({ status: 403, code: 'RoomExpired' })
    expect(await ana.does(listPassages, { params })).toHaveLength(3)
  },
)

test('a reader finds a post in the feed of the day of the database, whatever the clock of the host says [R20]', async () => {
  const { person, clock } = await startTestApp()
  clock.set('2025-06-10T21:30:00Z')
  const ana = await person()
  for (const [name, host] of [
    ['first', 0],
    ['second', hour],
    ['third', -2 * hour],
  ] as const) {
    clock.step({ host })
    await ana.does(submitPost, { input: { content: name, authorName: 'Ana', type: 'premium' } })
  }
  const feed = await ana.does(getFeedDay, { params: { offset: '0' } })
  expect(feed.map(({ content }) => content)).toEqual(['third', 'second', 'first'])
})
