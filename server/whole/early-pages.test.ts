import { expect, test } from 'vitest'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { blockPerson, unblockPerson } from '#contract/friends/endpoints.ts'
import { approvePost, createPost, submitPost } from '#contract/feed/endpoints.ts'
import { type PostNeighbours } from '#contract/feed/links/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { getPerson } from '#contract/people/endpoints.ts'
import { createRoom, deleteFeedRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { shelfPath, storyPath } from '#contract/rooms/paths.ts'
import { dataIn } from '../testing/page-folder.ts'
import { createReader } from '../testing/read-raw.ts'
import { aRoom } from '../testing/rooms.ts'
import { startTestApp } from '../testing/test-app.ts'

/** An instance that listens, with a post of Ana, her page, and a story of hers that has ended. */
async function start() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const read = createReader(await t.app.listen({ port: 0, host: '127.0.0.1' }))
  const [ana, boss] = [await t.person({ firstName: 'Ana', lastName: 'Lima' }), await t.admin()]
  await ana.does(changeSettings, { input: { hasPage: true } })
  const { id: room } = await ana.does(createRoom, { input: aRoom({ name: 'The harbour', duration: 15 }) })
  await ana.does(sendPassage, { params: { id: room }, input: { content: 'It was late.' } })
  t.clock.advance(16 * 60_000)
  const { id: post } = await ana.does(submitPost, { input: { content: 'The train', authorName: 'Ana Lima' } })
  await boss.does(approvePost, { params: { id: post } })
  const countEarly = async () => {
    const { body } = await t.request({ url: '/metrics', headers: { host: 'localhost' } })
    return Number(/^zimmer_http_early_answers_total (\d+)/m.exec(body)![1])
  }
  return {
    ...t,
    read,
    ana,
    boss,
    countEarly,
    room,
    post,
    addPerson: t.person,
    addAdmin: t.admin,
    person: `/people/${ana.me.id}`,
  }
}

test('every public page and the feed of a day are sent early to the second visitor, and a browser that expects a session gets them without the rendered text [PUB-01 R24]', async () => {
  const { read, countEarly, post, person, room } = await start()
  const pages = ['/', '/dashboard', '/dashboard?day=1', '/about', shelfPath, `/posts/${post}`, person]
  for (const path of [...pages, storyPath(room), '/api/feed/day/0']) {
    const first = await read(path)
    const before = await countEarly()
    const second = await read(path)
    expect([path, second.status, await countEarly()]).toEqual([path, 200, before + 1])
    expect(second.body.equals(first.body)).toBe(true)
    const withSession = await read(path, { cookie: 'signed-in=1' })
    expect(withSession.body.includes('rendered')).toBe(false)
    expect(await countEarly()).toBe(before + (path.startsWith('/api/') ? 2 : 1))
  }
})

test('a visitor sees each change of a text on its early page at once, and 404 once the text is hidden or deleted [PUB-01 PUB-03]', async () => {
  const { read, ana, boss, post, person, room } = await start()
  const story = storyPath(room)
  const textOf = async (path: string) => {
    const { status, body } = await read(path)
    return status === 200 ? body.toString() : status
  }
  const early = async (path: string) => {
    await read(path)
    return textOf(path)
  }
  for (const path of ['/dashboard', `/posts/${post}`, person])
    expect(await early(path)).toContain('The train')
  for (const path of [story, shelfPath]) expect(await early(path)).toContain('The harbour')

  await boss.does(createPost, { input: { content: 'The ship', authorName: 'Boss' } })
  expect(await textOf('/dashboard')).toContain('The ship')
  await ana.does(changeSettings, { input: { introduction: 'I write by the sea.' } })
  expect(await early(person)).toContain('I write by the sea.')
  await boss.does(changePostVisibility, { params: { id: post }, input: { isVisible: false } })
  expect(await textOf(`/posts/${post}`)).toBe(404)
  expect(await early(person)).not.toContain('The train')
  expect(await textOf('/dashboard')).not.toContain('The train')
  await boss.does(deleteFeedRoom, { params: { id: room } })
  expect(await textOf(story)).toBe(404)
  expect(await textOf(shelfPath)).not.toContain('The harbour')
  await ana.does(changeSettings, { input: { hasPage: false } })
  expect(await textOf(person)).toBe(404)
})

test('after midnight a visitor gets early pages and the feed of the new day [FEED-08 PUB-01]', async () => {
  const { clock, read } = await start()
  for (const path of ['/dashboard', '/api/feed/day/0']) {
    await read(path)
    expect((await read(path)).body.toString()).toContain('The train')
  }
  const today = async () => /"today":"([^"]+)"/.exec((await read('/about')).body.toString())?.[1]
  expect([await today(), await today()]).toEqual(['2025-06-10', '2025-06-10'])
  clock.set('2025-06-10T22:00:01Z')
  expect(await today()).toBe('2025-06-11')
  for (const path of ['/dashboard', '/api/feed/day/0'])
    expect((await read(path)).body.toString()).not.toContain('The train')
  expect((await read('/dashboard?day=1')).body.toString()).toContain('The train')
})

test('after midnight the address of a day shows that day, and a number of days another day, whoever asked before [LOOP-22]', async () => {
  const { clock, read, ana } = await start()
  clock.set('2025-06-11T10:00:00Z')
  await ana.does(submitPost, { input: { content: 'The ship', authorName: 'Ana Lima', type: 'premium' } })
  const shown = async (path: string) => {
    const body = (await read(path)).body.toString()
    return [/<title>(.*?) · Z!mmer</.exec(body)?.[1], /The train|The ship/.exec(body)?.[0]]
  }
  const [ofThe10th, dayBefore] = ['/dashboard?date=2025-06-10', '/dashboard?day=1']
  // What was read a second before midnight is still cached a second after.
  clock.set('2025-06-11T21:59:59Z')
  for (const path of [dayBefore, dayBefore, ofThe10th, ofThe10th])
    expect(await shown(path)).toEqual(['Feed of Yesterday', 'The train'])
  for (const path of ['/dashboard', '/dashboard', '/dashboard?date=2025-06-11'])
    expect(await shown(path)).toEqual(['Feed', 'The ship'])
  clock.advance(2000)
  expect(await shown(dayBefore)).toEqual(['Feed of Yesterday', 'The ship'])
  expect(await shown('/dashboard')).toEqual(['Feed', undefined])
  for (const path of [ofThe10th, ofThe10th, '/dashboard?day=2'])
    expect(await shown(path)).toEqual(['Feed of Tuesday, Jun 10', 'The train'])
  for (const path of [dayBefore, '/dashboard?date=2025-06-11'])
    expect(await shown(path)).toEqual(['Feed of Yesterday', 'The ship'])
})

test('after midnight a number of days leads to another day, also when somebody has opened the day before by its date [LOOP-22]', async () => {
  const { clock, read } = await start()
  const textAt = async (path: string) => /The train/.exec((await read(path)).body.toString())?.[0]
  clock.set('2025-06-11T21:59:59Z')
  for (let n = 0; n < 2; n++) expect(await textAt('/dashboard?day=1')).toBe('The train')
  clock.advance(2000)
  expect(await textAt('/dashboard?date=2025-06-10')).toBe('The train')
  expect(await textAt('/dashboard?day=1')).toBeUndefined()
})

test('the page of an empty day leads to the last day with posts, and follows when that day changes [LOOP-22]', async () => {
  const { clock, read, addAdmin, post } = await start()
  clock.set('2025-06-12T10:00:00Z')
  const lastDay = async (path: string) =>
    dataIn((await read(path)).body.toString()).answers['/api/feed/last-day-before/2025-06-11']
  const [dated, numbered] = ['/dashboard?date=2025-06-11', '/dashboard?day=1']
  for (const path of [dated, numbered, dated, numbered])
    expect(await lastDay(path)).toEqual({ day: '2025-06-10' })
  expect(await lastDay('/dashboard?date=2025-06-10')).toBeUndefined()
  const boss = await addAdmin()
  await boss.does(changePostVisibility, { params: { id: post }, input: { isVisible: false } })
  for (const path of [dated, numbered]) expect(await lastDay(path)).toEqual({ day: null })
})

test('the page of an article follows at once when a neighbour is approved or hidden [LOOP-20]', async () => {
  const { clock, read, ana, boss, post } = await start()
  const titles = async () => {
    const { answers } = dataIn((await read(`/posts/${post}`)).body.toString())
    const { previous, next } = answers[`/api/posts/${post}/neighbours`] as PostNeighbours
    return [previous?.title, next?.title]
  }
  expect([await titles(), await titles()]).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ])
  clock.advance(1000)
  const { id } = await ana.does(submitPost, { input: { content: 'The ship', authorName: 'Ana Lima' } })
  expect(await titles()).toEqual([undefined, undefined])
  await boss.does(approvePost, { params: { id } })
  expect([await titles(), await titles()]).toEqual([
    ['The ship', undefined],
    ['The ship', undefined],
  ])
  await boss.does(changePostVisibility, { params: { id }, input: { isVisible: false } })
  expect(await titles()).toEqual([undefined, undefined])
})

test('a person on either side of a block gets the 404 of nobody for the page of the other one, as by the calls; visitors and the owner read it [S41 PPL-04]', async () => {
  const { read, person: path, ana, addPerson } = await start()
  const [ben, cara] = [await addPerson(), await addPerson()]
  const pageOf = (of: string, reader?: { cookies: ReadonlyMap<string, string> }) =>
    read(of, reader && { cookie: [...reader.cookies].map((each) => each.join('=')).join('; ') })
  const nobody = await read('/people/b3n0000000')
  expect((await pageOf(path)).body.toString()).toContain('The train')
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  const hidden = await pageOf(path, ben)
  expect([hidden.status, hidden.body.equals(nobody.body)]).toEqual([404, true])
  expect((await ben.tries(getPerson, { params: { id: ana.me.id } })).status).toBe(404)
  // Without the mark of a session too, and on older texts.
  const session = new Map([...ben.cookies].filter(([name]) => name !== 'signed-in'))
  expect((await pageOf(path, { cookies: session })).status).toBe(404)
  expect((await pageOf(`${path}?posts-before=x`, ben)).status).toBe(404)
  for (const reader of [undefined, ana, cara]) {
    const { status, body } = await pageOf(path, reader)
    expect([status, body.toString().includes('The train')]).toEqual([200, true])
  }
  await ana.does(unblockPerson, { params: { userId: ben.me.id } })
  expect((await pageOf(path, ben)).status).toBe(200)
  await ben.does(blockPerson, { input: { userId: ana.me.id } })
  expect((await pageOf(path, ben)).status).toBe(404)
})
