import { type InjectOptions, type LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import {
  changePassword,
  deleteAccount,
  getMe,
  login,
  loginAsGuest,
  logout,
  register,
  registerByOnboarding,
} from '#contract/account/endpoints.ts'
import { changeSettings, getSettings } from '#contract/account/settings.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import {
  approvePost,
  approvePosts,
  createPost,
  getFeedDay,
  getPost,
  listPendingPosts,
  submitPost,
} from '#contract/feed/endpoints.ts'
import { listAdminComments, listAdminUsers } from '#contract/admin/endpoints.ts'
import {
  createRoom,
  deleteFeedRoom,
  deleteRoom,
  getRoom,
  getRoomMembership,
  getRoomStory,
  joinRoom,
  listFeedRooms,
  listFinishedRooms,
  listOpenRooms,
  listRoomMembers,
  listPassages,
  listRooms,
  sendPassage,
  announceWriting,
} from '#contract/rooms/endpoints.ts'
import { aRoom } from './rooms.ts'
import { type Client, startTestApp } from './test-app.ts'

/** What stands in the world of a test of all calls, for the calls to be about. */
export type World = Awaited<ReturnType<typeof startWorld>>

/** Of that world, what the rows need to make a call. */
export type Things = Pick<World, 'known' | 'published' | 'waiting' | 'room' | 'openRoom' | 'story' | 'next'>

export const viewers = ['visitor', 'guest', 'person', 'admin'] as const

interface Made {
  params?: Record<string, string>
  query?: Record<string, string>
  input?: Record<string, unknown>
}

export interface CallRow {
  name: string
  endpoint: Endpoint
  /** The status for a visitor, a guest, a user and an admin who make the call rightly. */
  answers: readonly [number, number, number, number]
  /** The call made rightly, with every field that it takes. */
  make: (things: Things) => Made
}

const nobody = '0000000000'
const everyone = [200, 200, 200, 200] as const
const everyoneAdds = [201, 201, 201, 201] as const
const admins = [401, 403, 403, 200] as const
const writers = [401, 401, 200, 200] as const
const people = [401, 403, 200, 200] as const
const peopleAdd = [401, 403, 201, 201] as const

/** Who may call what, and how: one row for each call of the API. The tests of all calls begin here. */
export const calls: readonly CallRow[] = [
  row(getConfig, everyone),
  row(getMe, [401, 200, 200, 200]),
  row(login, everyone, ({ known: { email, password } }) => ({ input: { email, password } })),
  row(register, everyoneAdds, ({ next }) => {
    const n = next()
    const names = { firstName: 'Nia', lastName: 'New', username: `nia${n}` }
    return { input: { email: `nia${n}@example.org`, password: 'a first password', ...names } }
  }),
  row(registerByOnboarding, everyoneAdds, ({ next }) => ({
    input: {
      name: 'Nia New',
      email: `nia${next()}@example.org`,
      passcode: 'firstpasscode',
      writingSample: 'I write at night.',
    },
  })),
  row(loginAsGuest, everyone),
  row(logout, everyone),
  row(changePassword, [401, 403, 200, 200], () => ({
    input: { newPassword: 'a second password', currentPassword: 'a first password' },
  })),
  row(deleteAccount, [401, 200, 200, 403]),
  row(getFeedDay, everyone, () => ({ params: { offset: '0' }, query: { limit: '50' } })),
  row(getPost, everyone, ({ published }) => ({ params: { id: published } })),
  row(submitPost, everyoneAdds, ({ next }) => ({
    input: { content: `Line ${next()}`, authorName: 'Nia', type: 'premium' },
  })),
  row(createPost, [401, 403, 403, 201], () => ({
    input: {
      content: 'News',
      authorName: 'The house',
      authorId: nobody,
      postType: 'admin',
      isVisible: true,
      imageUrl: '/assets/house.webp',
    },
  })),
  row(listPendingPosts, admins, () => ({ query: { limit: '50' } })),
  row(approvePost, admins, ({ waiting }) => ({ params: { id: waiting } })),
  row(approvePosts, admins, ({ waiting }) => ({ input: { postIds: [waiting] } })),
  row(listAdminUsers, admins, () => ({ query: { limit: '50' } })),
  row(listAdminComments, admins, () => ({})),
  row(getSettings, people),
  row(changeSettings, people, () => ({ input: { showName: true, presence: false } })),
  row(listRooms, everyone, () => ({ query: { limit: '50' } })),
  row(listFeedRooms, everyone, () => ({ query: { limit: '50' } })),
  row(listOpenRooms, everyone, () => ({ query: { limit: '50' } })),
  row(listFinishedRooms, everyone, () => ({ query: { limit: '50', q: 'night' } })),
  row(getRoom, everyone, ({ room }) => ({ params: { id: room } })),
  row(getRoomMembership, everyone, ({ room }) => ({ params: { id: room } })),
  row(listPassages, everyone, ({ room }) => ({ params: { id: room }, query: { limit: '50' } })),
  row(getRoomStory, everyone, ({ story }) => ({ params: { id: story, format: 'epub' } })),
  row(createRoom, peopleAdd, ({ known }) => ({ input: aRoom({ invitedFriends: [known.id] }) })),
  row(joinRoom, people, ({ openRoom }) => ({ params: { id: openRoom } })),
  row(sendPassage, peopleAdd, ({ room, next }) => ({
    params: { id: room },
    input: { content: `Line ${next()}` },
  })),
  row(announceWriting, [401, 403, 204, 204], ({ room }) => ({ params: { id: room } })),
  row(listRoomMembers, admins, ({ room }) => ({ params: { id: room } })),
  row(deleteRoom, admins, ({ room }) => ({ params: { id: room } })),
  row(deleteFeedRoom, admins, ({ room }) => ({ params: { id: room } })),
  row(getDiary, writers, () => ({ query: { limit: '50' } })),
  row(getDiaryEntry, writers, () => ({ params: { day: '2025-06-10' } })),
  row(saveDiaryEntry, writers, ({ next }) => ({
    input: { date: addDays('2025-06-10', next()), content: 'A quiet day', base: null },
  })),
  row(getCalendar, writers, () => ({ query: { limit: '50' } })),
  row(saveCalendarNote, writers, ({ next }) => ({
    input: { date: addDays('2025-06-10', next()), note: 'Post the letter', base: null },
  })),
]

function row(endpoint: Endpoint, answers: CallRow['answers'], make: CallRow['make'] = () => ({})): CallRow {
  return { name: `${endpoint.method} ${endpoint.path}`, endpoint, answers, make }
}

/** An app in which there is something for every call to be about; nothing is limited by its rate. */
export async function startWorld(options: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({ ...options, config: { limitsRates: false, ...options.config } })
  const known = { email: 'known@example.org', password: 'a known password' }
  const author = await t.person(known)
  const submit = async (content: string, type: 'standard' | 'premium') =>
    (await author.does(submitPost, { input: { content, authorName: 'Ana', type } })).id
  const published = await submit('stands in the feed', 'premium')
  const waiting = await submit('waits for review', 'standard')
  const story = (await author.does(createRoom, { input: aRoom({ duration: 15 }) })).id
  await author.does(sendPassage, { params: { id: story }, input: { content: 'It was late.' } })
  t.clock.advance(15 * 60_000)
  const room = (await author.does(createRoom, { input: aRoom() })).id
  const openRoom = (await author.does(createRoom, { input: aRoom() })).id
  let count = 0
  return {
    ...t,
    person: asMember(t.person),
    admin: asMember(t.admin),
    known: { ...known, id: author.me.id },
    published,
    waiting,
    room,
    openRoom,
    story,
    next: () => ++count,
  }

  /** Who is registered here writes in the room. */
  function asMember(make: typeof t.person): typeof t.person {
    return async (overrides) => {
      const client = await make(overrides)
      await client.does(joinRoom, { params: { id: room } })
      return client
    }
  }
}

/** Somebody whom the call answers well, with the most rights that has. */
export const allowed = (world: World, { answers }: CallRow): Promise<Client> | Client =>
  world[viewers[answers.findLastIndex((status) => status < 300)]!]()

export const requestOf = ({ endpoint }: CallRow, made: Made): InjectOptions & { url: string } => ({
  method: endpoint.method,
  url: pathOf(endpoint, made),
  ...(made.input && { payload: made.input }),
})

/** What holds for every answer: no fault, a code and a sentence for a refusal, the protecting headers. */
export function expectSound({ statusCode, headers, body }: LightMyRequestResponse) {
  if (statusCode >= 500) throw new Error(`A fault: ${body}`)
  if (statusCode >= 400 && body !== '') {
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(body)).toMatchObject({
      code: expect.stringMatching(/^[A-Z][A-Za-z]+$/),
      error: expect.stringMatching(/^\S.*\S$/),
    })
  }
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': expect.stringMatching(/^(no-store|public, no-cache|private, no-cache)$/),
  })
  const told = Object.keys(headers).filter((name) => /^(server|x-powered-by|access-control-.*)$/.test(name))
  expect(told).toEqual([])
}
