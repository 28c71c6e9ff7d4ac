import { beforeEach, expect, test, vi } from 'vitest'
import { changePassword, getMe, login } from '#contract/account/endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { listPendingPosts } from '#contract/feed/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { listRooms } from '#contract/rooms/endpoints.ts'
import { send, sendForPage } from '#web/lib/request.ts'
import { readInParts } from '#web/lib/read-in-parts.ts'
import { FakeServer } from './fake-server.ts'
import { ana } from './people.ts'

const server = new FakeServer()

beforeEach(() => {
  vi.stubGlobal('fetch', server.start())
})

const typed = { email: 'ana@example.org', password: 'secret1' }

test('a test answers an endpoint by its input, and reads back what was sent', async () => {
  server.on(login, ({ input, fail }) => (input.password === 'secret1' ? ana : fail('WrongCredentials')))
  expect(await send(login, { input: typed })).toEqual(ana)
  const wrong = { ...typed, password: 'secret2' }
  await expect(send(login, { input: wrong })).rejects.toMatchObject({ status: 401, code: 'WrongCredentials' })
  expect(server.inputs(login)).toEqual([typed, wrong])
  expect(server.requests).toEqual(['POST /api/login', 'POST /api/login'])
})

test('a test reads the parameters of a path, and a later answer replaces the earlier one', async () => {
  server.refuse(getPost, 'PostNotFound')
  server.refuse(getPost, 'Unexpected')
  await expect(send(getPost, { params: { id: 'a/b' } })).rejects.toMatchObject({ status: 500 })
  expect(server.calls(getPost).map(({ params }) => params)).toEqual([{ id: 'a/b' }])
})

test('a test answers a list page by page, and refuses one of its pages', async () => {
  server.onPages(listRooms, [[], ({ fail }) => fail('Unavailable')])
  expect(await sendForPage(listRooms, { query: {} })).toEqual({ items: [], nextBefore: '2' })
  await expect(sendForPage(listRooms, { query: { before: '2' } })).rejects.toMatchObject({ status: 503 })
  server.onPages(listRooms, [[], []])
  expect(await sendForPage(listRooms, { query: { before: '2' } })).toEqual({ items: [], nextBefore: null })
})

test('a test sends a list in parts, and can break off the list', async () => {
  const day = (entry_date: string) => ({ entry_date, content: 'Text', updated_at: null })
  const days = [day('2025-06-09'), day('2025-06-10')]
  let isBroken = false
  async function* parts() {
    yield [days[0]!]
    if (isBroken) throw new TypeError('The connection broke')
    yield [days[1]!]
  }
  server.on(getDiary, (call) => call.readInParts(parts()))
  const read = async () => (await Array.fromAsync(readInParts(getDiary))).flat()
  expect(await read()).toEqual(days)
  isBroken = true
  await expect(read()).rejects.toThrow('The connection broke')
})

test('a request without an answer fails, and is listed with its address', async () => {
  server.on(getMe, ana)
  await expect(send(listPendingPosts)).rejects.toThrow('no answer for GET /api/feed/pending')
  expect(server.unanswered).toEqual(['GET /api/feed/pending'])
  expect(server.requests).toEqual([])
})

test('an answer of another shape and a code that the endpoint does not declare do not compile', () => {
  // @ts-expect-error: the answer of getMe is a person.
  server.on(getMe, { id: 'k7q2m4xp3d' })
  // @ts-expect-error: only login answers so.
  server.refuse(changePassword, 'WrongCredentials')
  // @ts-expect-error: only login answers so.
  server.on(changePassword, ({ fail }) => fail('WrongCredentials'))
  server.refuse(login, 'WrongCredentials')
  expect(server.requests).toEqual([])
})
