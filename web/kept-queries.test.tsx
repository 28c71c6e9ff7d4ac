import 'fake-indexeddb/auto'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { getStats } from '#contract/admin/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { getDiaryEntry } from '#contract/diary/endpoints.ts'
import { getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import { countUnread, listMessages } from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { getRoom, listPassages } from '#contract/rooms/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { SessionProvider, useSession } from '#web/features/account/index.ts'
import { daysKey } from '#web/features/diary/account-days.ts'
import type { Conversation } from '#web/features/messages/conversation.ts'
import { recentMessages } from '#web/features/messages/recent-messages.ts'
import { aRoom } from '#web/features/rooms/testing.tsx'
import { readStateOf, queryKeyOf, queryOf } from '#web/lib/api.ts'
import { readAnswer } from '#web/lib/device/answers.ts'
import { deviceDatabase } from '#web/lib/device/database.ts'
import { startMirror, stopMirror } from '#web/lib/device/mirror.ts'
import { fakeSources } from '#web/lib/live/testing.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { startWithEmptyDevice } from '#web/lib/testing.ts'
import { readKey, writeKey } from '#web/lib/session-keys.ts'
import { anEntry } from '#web/testing/diary.ts'
import { config, show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { keptQueries } from './kept-queries.ts'
import { restore } from './restore.ts'
import { SignedIn } from './signed-in.tsx'

const server = startTestPage()
const draft = { params: { id: '01900000-0000-7000-8000-000000000001' } }
const entries = [anEntry('2025-06-09', 'Monday'), anEntry('2025-06-10', 'Tuesday')]
const aDay = (day: string) => queryKeyOf(getDiaryEntry, { params: { day } })

startWithEmptyDevice()
beforeEach(() => {
  writeKey('userId', ana.id)
  server.disconnect(getMe, getConfig, listDrafts, getDraft, getDiaryEntry)
})
afterEach(() => stopMirror(ana.id))

function keeping() {
  const client = createQueryClient()
  startMirror(client, ana.id, keptQueries)
  return client
}
const isKept = async (queryKey: readonly unknown[]) => (await readAnswer(ana.id, queryKey)) !== undefined
const expectKept = (queryKey: readonly unknown[], wanted = true) =>
  vi.waitFor(async () => expect(await isKept(queryKey)).toBe(wanted), { timeout: 5000 })
const readDiary = (client: QueryClient) =>
  client.fetchQuery({ queryKey: daysKey(ana.id), queryFn: () => Promise.resolve(entries) })

/** The page of the service worker: nothing is in memory, and the server cannot be reached. */
async function opened() {
  stopMirror(ana.id)
  const client = createQueryClient()
  await restore(client)
  return client
}
async function expectShown(client: QueryClient, query: { queryKey: readonly unknown[] }, answer: unknown) {
  await client.fetchQuery({ ...query, retry: false }).catch(() => {})
  await vi.waitFor(() => expect(client.getQueryData(query.queryKey)).toEqual(answer), { timeout: 5000 })
}

test('a person who opens the page without a network finds what was read before, marked as not refreshed [OWN-02]', async () => {
  const client = keeping()
  const day = { ...queryOf(getDiaryEntry, { params: { day: '2025-06-10' } }) }
  client.setQueryData(queryKeyOf(getMe), ana)
  client.setQueryData(queryKeyOf(listDrafts), [])
  client.setQueryData(['/api/search?q=lamp'], [])
  client.setQueryData(queryKeyOf(getStats), {})
  await readDiary(client)
  await expectKept(daysKey(ana.id))

  const later = await opened()
  await expectShown(later, queryOf(getMe), ana)
  await expectShown(later, queryOf(listDrafts), [])
  await expectShown(later, day, entries[1])
  const days = { queryKey: daysKey(ana.id), queryFn: () => Promise.reject(new TypeError('offline')) }
  await expectShown(later, days, entries)
  const loaded = readStateOf({ ...later.getQueryState(daysKey(ana.id))!, refetch: vi.fn() } as never)
  expect(loaded).toMatchObject({ status: 'ready', refetchError: new TypeError('offline') })
  for (const path of ['/api/search?q=lamp', '/api/admin/stats'])
    expect(await readAnswer(ana.id, [path])).toBeUndefined()
})

test('a day without an entry is empty without a network, when the whole diary is kept, and else unknown [OWN-02]', async () => {
  const client = keeping()
  client.setQueryData(aDay('2025-06-10'), entries[1])
  // Kept after the day.
  client.setQueryData(queryKeyOf(getMe), ana)
  await expectKept(queryKeyOf(getMe))
  const unknown = await opened()
  await unknown
    .fetchQuery({ ...queryOf(getDiaryEntry, { params: { day: '2025-06-11' } }), retry: false })
    .catch(() => {})
  await expectShown(unknown, queryOf(getDiaryEntry, { params: { day: '2025-06-10' } }), entries[1])
  expect(unknown.getQueryData(aDay('2025-06-11'))).toBeUndefined()

  stopMirror(ana.id)
  const reading = keeping()
  await readDiary(reading)
  await expectKept(daysKey(ana.id))
  const later = await opened()
  const query = queryOf(getDiaryEntry, { params: { day: '2025-06-11' } })
  await expectShown(later, query, anEntry('2025-06-11', '', null))
})

test('an open page whose network is gone shows what an earlier visit has kept, at the first failure [OWN-02]', async () => {
  const client = keeping()
  client.setQueryData(queryKeyOf(getDraft, draft), { content: 'A lamp' })
  await expectKept(queryKeyOf(getDraft, draft))
  stopMirror(ana.id)
  const later = keeping()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await later.fetchQuery(queryOf(getDraft, draft)).catch(() => {})
  await expect.poll(() => later.getQueryData(queryKeyOf(getDraft, draft))).toEqual({ content: 'A lamp' })
  expect(server.calls(getDraft)).toHaveLength(1)
})

test('a person whose network gives neither an answer nor an error reads after seconds what is kept, and then the answer [OWN-02]', async () => {
  const [asked, askedLater] = [queryKeyOf(getDraft, draft), queryKeyOf(listDrafts)]
  const client = keeping()
  client.setQueryData(asked, 'A lamp')
  client.setQueryData(askedLater, 'A list')
  for (const queryKey of [asked, askedLater]) await expectKept(queryKey)
  stopMirror(ana.id)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answer = Promise.withResolvers<string>()
  const later = createQueryClient()
  const read = (queryKey: string[]) => later.fetchQuery({ queryKey, queryFn: () => answer.promise })
  const shown = () => [asked, askedLater].map((queryKey) => later.getQueryData(queryKey))
  const first = read(asked)
  startMirror(later, ana.id, keptQueries)
  const second = read(askedLater)
  await vi.advanceTimersByTimeAsync(4999)
  expect(shown()).toEqual([undefined, undefined])
  await vi.advanceTimersByTimeAsync(1)
  await expect.poll(shown).toEqual(['A lamp', 'A list'])
  answer.resolve('The answer')
  await Promise.all([first, second])
  expect(shown()).toEqual(['The answer', 'The answer'])
})

test('what a person may read no more is not kept any longer [OWN-02 OWN-21]', async () => {
  const client = keeping()
  client.setQueryData(queryKeyOf(getDraft, draft), { content: 'A lamp' })
  await expectKept(queryKeyOf(getDraft, draft))
  server.refuse(getDraft, 'DraftNotFound')
  const read = client.fetchQuery({ ...queryOf(getDraft, draft), staleTime: 0 })
  await expect(read).rejects.toThrow('404')
  await expectKept(queryKeyOf(getDraft, draft), false)
  client.setQueryData(queryKeyOf(getDraft, draft), { content: 'A lamp' })
  await expectKept(queryKeyOf(getDraft, draft))
  client.setQueryData(queryKeyOf(getDraft, draft), null)
  await expectKept(queryKeyOf(getDraft, draft), false)
})

const renderSession = (client: QueryClient) =>
  renderHook(useSession, {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>
        <SessionProvider>{children}</SessionProvider>
      </QueryClientProvider>
    ),
  }).result

test('a person stays signed in while the server cannot be asked, and is signed out by its refusal [OWN-02 SHELL-81]', async () => {
  const client = keeping()
  client.setQueryData(queryKeyOf(getMe), ana)
  client.setQueryData(queryKeyOf(getConfig), config)
  await expectKept(queryKeyOf(getMe))
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const later = await opened()
  const session = renderSession(later)
  expect(session.current).toMatchObject({ state: 'registered', user: ana })
  await expect.poll(() => later.getQueryState(queryKeyOf(getMe))?.error).toBeInstanceOf(TypeError)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(session.current).toMatchObject({ state: 'registered', user: ana })
  expect(readKey('userId')).toBe(ana.id)
  server.refuse(getMe, 'SignInRequired')
  dispatchEvent(new Event('online'))
  await expect.poll(() => session.current.state).toBe('none')
  expect(readKey('userId')).toBeNull()
})

test('a session that the server has ended takes with it what the device keeps [OWN-21]', async () => {
  const client = keeping()
  client.setQueryData(queryKeyOf(getMe), ana)
  await readDiary(client)
  await expectKept(daysKey(ana.id))
  stopMirror(ana.id)
  server.refuse(getMe, 'SignInRequired')
  show(<SignedIn />)
  await expect.poll(async () => (await deviceDatabase())!.count('answers')).toBe(0)
  expect(await (await deviceDatabase())!.count('days')).toBe(0)
})

test('a device keeps nothing of a guest [OWN-21]', async () => {
  fakeSources()
  server.on(getMe, guest)
  const { client } = show(<SignedIn />, { user: guest })
  client.setQueryData(queryKeyOf(getDraft, draft), { content: 'A lamp' })
  const other = keeping()
  other.setQueryData(queryKeyOf(getMe), guest)
  other.setQueryData(queryKeyOf(listNotifications), [])
  other.setQueryData(queryKeyOf(countUnread), { unreadCount: 0 })
  await expectKept(queryKeyOf(countUnread))
  expect(await readAnswer(ana.id, queryKeyOf(getMe))).toBeUndefined()
  expect(await readAnswer(ana.id, queryKeyOf(getDraft, draft))).toBeUndefined()
})

test('the rooms that a person is in are kept with their passages, and finished stories that were opened [OWN-02]', async () => {
  const client = keeping()
  const keys = [
    aRoom({ isMember: true }),
    aRoom({ isMember: false, isActive: false }),
    aRoom({ isMember: false }),
    aRoom({ isMember: false, isPublic: false, isActive: false }),
  ].map((room) => {
    const params = { id: room.id }
    client.setQueryData(queryKeyOf(getRoom, { params }), room)
    client.setQueryData(queryKeyOf(listPassages, { params }), [`Passage of ${room.id}`])
    return [queryKeyOf(getRoom, { params }), queryKeyOf(listPassages, { params })]
  })
  client.setQueryData(queryKeyOf(listDrafts), [])
  await expectKept(queryKeyOf(listDrafts))
  const kept = await Promise.all(
    keys.map(async ([room, passages]) => [
      await readAnswer(ana.id, room!),
      await readAnswer(ana.id, passages!),
    ]),
  )
  const areKept = kept.map((answers) => answers.map((answer) => answer !== undefined))
  expect(areKept).toEqual([
    [true, true],
    [true, true],
    [false, false],
    [false, false],
  ])
})

test('of a conversation the last 30 days are kept, and at least 20 messages [OWN-02]', async () => {
  const message = (daysAgo: number): DirectMessage => ({
    id: `${daysAgo}`,
    sender_id: 'h3m9w5zt8v',
    receiver_id: ana.id,
    content: `${daysAgo} days ago`,
    created_at: new Date(Date.now() - daysAgo * 24 * 3_600_000).toISOString(),
    message_type: 'text',
    diary_date: null,
  })
  const count = (...daysAgo: number[]) => {
    const messages = daysAgo.map(message)
    const conversation: Conversation = [
      { messages: messages.slice(0, 5), before: 'older' },
      { messages: messages.slice(5), before: null },
    ]
    return recentMessages(conversation)[0]!.messages.length
  }
  const from = (first: number, length: number) => Array.from({ length }, (_, n) => first - n / 100)
  expect(count(...from(60, 40), ...from(29, 35))).toBe(35)
  expect(count(...from(60, 40), ...from(29, 5))).toBe(20)
  expect(count(...from(60, 40))).toBe(20)
  expect(count(...from(60, 7))).toBe(7)
  const client = keeping()
  const key = queryKeyOf(listMessages, { params: { friendId: 'h3m9w5zt8v' } })
  client.setQueryData(key, [{ messages: [...from(60, 40), 1].map(message), before: 'older' }])
  await expectKept(key)
  const [page] = (await readAnswer(ana.id, key))!.answer as Conversation
  expect([page!.messages.length, page!.messages.at(-1)!.content, page!.before]).toEqual([
    20,
    '1 days ago',
    null,
  ])
})
