import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { liftSuspension, suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { addBookmark, listBookmarks } from '#contract/bookmarks/endpoints.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { getPostNeighbours } from '#contract/feed/links/endpoints.ts'
import { getFeedDay, getLastFeedDay } from '#contract/feed/reading/endpoints.ts'
import { listAdminPosts } from '#contract/feed/review/endpoints.ts'
import { followPerson, listFollowedPosts, listFollows } from '#contract/follows/endpoints.ts'
import { addFriend, searchPeople } from '#contract/friends/endpoints.ts'
import { listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import {
  createRoom,
  getRoomStory,
  joinRoom,
  listPassages,
  listRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { hiddenMark } from '#contract/rooms/room.ts'
import { search } from '#contract/search/endpoints.ts'
import { posts } from '#server/features/feed/index.ts'
import { lastDayBefore } from '#server/features/feed/neighbours.ts'
import { listPostsOfDay } from '#server/features/feed/queries.ts'
import { planOf } from '#server/testing/plan.ts'
import { storeWords } from '#server/testing/post-words.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { inMinutes, publishDue, schedule } from '#server/testing/scheduling.ts'
import { startTwoApps } from '#server/testing/messengers.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

const minute = 60_000
const word = 'kingfisher'
const reason = 'You insulted a neighbour.'
const today = { params: { offset: '0' } }

/** Odile has published, has a page, and has written in rooms. A reader follows her and keeps her post; Ben is her friend. */
async function start() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const odile = await t.person({ firstName: 'Odile', lastName: 'Marsh', email: 'odile@example.org' })
  const [ben, reader, boss] = [await t.person(), await t.person(), await t.admin()]
  const params = { id: odile.me.id }
  await odile.does(changeSettings, { input: { introduction: `The ${word} of the marsh`, base: '' } })
  const publish = async (who: Client, content: string, authorName: string) => {
    const { id } = await who.does(submitPost, { input: { content, authorName } })
    await boss.does(approvePost, { params: { id } })
    t.clock.advance(1000)
    return id
  }
  const first = await publish(ben, 'The first of the day', 'Ben')
  const id = await publish(odile, `A ${word} flew`, 'Odile Marsh')
  const last = await publish(ben, 'The last of the day', 'Ben')
  await storeWords(t.db)
  await reader.does(followPerson, { params: { personId: odile.me.id } })
  await reader.does(addBookmark, { params: { postId: id } })
  await odile.does(addFriend, { input: { friendUserId: ben.me.id } })
  const message = { messageType: 'text', receiverId: ben.me.id, content: `A ${word} message` } as const
  await odile.does(sendMessage, { input: message })
  const write = async (isPublic: boolean) => {
    const room = aRoom({ isPublic, invitedFriends: isPublic ? [] : [ben.me.id] })
    const { id: roomId } = await odile.does(createRoom, { input: room })
    if (isPublic) await ben.does(joinRoom, { params: { id: roomId } })
    for (const [who, text] of [
      [ben, 'It was late.'],
      [odile, `The ${word} slept.`],
    ] as const)
      await who.does(sendPassage, { params: { id: roomId }, input: { content: text } })
    return roomId
  }
  const [story, privateRoom] = [await write(true), await write(false)]
  return {
    ...t,
    odile,
    ben,
    reader,
    boss,
    publish,
    ids: { first, id, last, story, privateRoom },
    suspend: (hidesTexts: boolean, until: string | null = null) =>
      boss.does(suspendPerson, { params, input: { reason, until, hidesTexts } }),
    lift: () => boss.does(liftSuspension, { params }),
    /** A later sign-in of the admin, whose session ends early. */
    renew: (who: Client, password: string) => who.does(login, { input: { email: who.me.email!, password } }),
  }
}
type Started = Awaited<ReturnType<typeof start>>

/** Where everybody, or the reader, finds texts of Odile. */
async function placesOf(t: Started) {
  const { ids, odile, reader } = t
  const visitor = t.visitor()
  const found = (await visitor.does(search, { query: { q: word } })).posts.found
  const people = (await visitor.does(search, { query: { q: 'Odile' } })).people.found
  const { previous } = await visitor
    .does(getPostNeighbours, { params: { id: ids.first } })
    .catch(() => ({ previous: null }))
  const listed = async (name: string, urls: string[]) => {
    const bodies = await Promise.all(
      urls.map(async (url) => {
        const { body, statusCode } = await t.request({ method: 'GET', url })
        return (
          statusCode === 200 && (body.includes(word) || body.includes(ids.id) || body.includes(odile.me.id))
        )
      }),
    )
    return bodies.map((shows, n) => [`${name} ${urls[n]!}`, shows] as const)
  }
  const places: (readonly [string, boolean])[] = [
    ...(await listed('page', [
      '/dashboard',
      `/posts/${ids.id}`,
      `/people/${odile.me.id}`,
      `/posts/${ids.last}`,
    ])),
    ...(await listed('call', ['/api/feed/day/0', `/api/posts/${ids.id}`, `/api/people/${odile.me.id}`])),
    ...(await listed('feed', ['/feed.atom', '/feed.rss', '/feed.json', `/people/${odile.me.id}/feed.atom`])),
    ...(await listed('other', ['/sitemap.xml'])),
    ['preview', (await t.request({ method: 'GET', url: `/preview/posts/${ids.id}.png` })).statusCode === 200],
    ['search of posts', found.length > 0],
    ['search of people', people.length > 0],
    ['search of friends', (await reader.does(searchPeople, { query: { q: 'Odile' } })).length > 0],
    ['neighbours', previous !== null && previous.id === ids.id],
    ['follows', (await reader.does(listFollows)).length > 0],
    ['followed posts', (await reader.does(listFollowedPosts)).length > 0],
    ['bookmarks', (await reader.does(listBookmarks)).length > 0],
    ['room', JSON.stringify(await visitor.does(listPassages, { params: { id: ids.story } })).includes(word)],
    ['list of rooms', JSON.stringify(await visitor.does(listRooms)).includes(word)],
  ]
  return places.filter(([, shows]) => shows).map(([name]) => name)
}

const allPlaces = (t: Started) => [
  'page /dashboard',
  `page /posts/${t.ids.id}`,
  `page /people/${t.odile.me.id}`,
  `page /posts/${t.ids.last}`,
  'call /api/feed/day/0',
  `call /api/posts/${t.ids.id}`,
  `call /api/people/${t.odile.me.id}`,
  'feed /feed.atom',
  'feed /feed.rss',
  'feed /feed.json',
  `feed /people/${t.odile.me.id}/feed.atom`,
  'other /sitemap.xml',
  'preview',
  'search of posts',
  'search of people',
  'search of friends',
  'neighbours',
  'follows',
  'followed posts',
  'bookmarks',
  'room',
  'list of rooms',
]

test('a suspension hides the texts of a person everywhere at once, and the lift shows them again [INST-04]', async () => {
  const t = await start()
  expect(await placesOf(t)).toEqual(allPlaces(t))
  await t.suspend(true)
  expect(await placesOf(t)).toEqual([])
  const passages = await t.visitor().does(listPassages, { params: { id: t.ids.story } })
  expect(passages.map(({ content, isErased }) => [content, isErased])).toEqual([
    ['It was late.', false],
    [hiddenMark, true],
  ])
  await t.lift()
  expect(await placesOf(t)).toEqual(allPlaces(t))
})

test('texts stay when the admin lets them stay, and an admin changes that while the person is suspended [INST-04]', async () => {
  const t = await start()
  await t.suspend(false)
  expect(await placesOf(t)).toEqual(allPlaces(t))
  await t.suspend(true)
  expect(await placesOf(t)).toEqual([])
  await t.suspend(false)
  expect(await placesOf(t)).toEqual(allPlaces(t))
})

test('the texts are back within 5 s of the end of the suspension, without anybody doing anything [INST-04]', async () => {
  const t = await start()
  await t.suspend(true, inMinutes(t, 5))
  expect(await placesOf(t)).toEqual([])
  t.clock.advance(4 * minute)
  expect(await placesOf(t)).toEqual([])
  t.clock.advance(minute + 5000)
  expect(await placesOf(t)).toEqual(allPlaces(t))
})

test.for(['NOTIFY', 'Redis'] as const)(
  'over %s readers at both processes lose the texts of a suspended person within 5 s, and get them back [INST-04]',
  async (messenger, context) => {
    const t = await startTwoApps(messenger, context)
    const [odile, boss] = [await t.person(), await t.admin()]
    await odile.does(submitPost, { input: { content: word, authorName: 'Odile', type: 'premium' } })
    const readers = [t.visitor(), t.atOther(t.visitor())]
    const counts = () =>
      Promise.all(readers.map(async (reader) => (await reader.does(getFeedDay, today)).length))
    const params = { id: odile.me.id }
    const patience = { timeout: 5000, interval: 50 }
    expect(await counts()).toEqual([1, 1])
    await boss.does(suspendPerson, { params, input: { reason, until: null, hidesTexts: true } })
    await vi.waitFor(async () => expect(await counts()).toEqual([0, 0]), patience)
    await t.atOther(boss).does(liftSuspension, { params })
    await vi.waitFor(async () => expect(await counts()).toEqual([1, 1]), patience)
  },
)

test('messages to friends and the story of a private room stay for those who may read them [INST-04 S41]', async () => {
  const t = await start()
  await t.suspend(true)
  const messages = await t.ben.does(listMessages, { params: { friendId: t.odile.me.id } })
  expect(JSON.stringify(messages)).toContain(word)
  const passages = await t.ben.does(listPassages, { params: { id: t.ids.privateRoom } })
  expect(passages.map(({ content }) => content)).toContain(`The ${word} slept.`)
})

test('a finished story and its files have a mark in the place of hidden passages, and the texts again after the lift [INST-04]', async () => {
  const t = await start()
  t.clock.advance(31 * minute)
  await t.renew(t.boss, 'a long admin password')
  const texts = async () => {
    const read = async (url: string) => (await t.request({ method: 'GET', url })).body
    const file = getRoomStory.path.replace(':id', t.ids.story).replace(':format', 'txt')
    return [await read(file), await read(`/stories/${t.ids.story}`), await read('/stories/feed.atom')]
  }
  for (const text of await texts()) expect(text).toContain(word)
  await t.suspend(true)
  for (const text of await texts()) {
    expect(text).not.toContain(word)
    expect(text).toContain('It was late.')
  }
  expect((await texts())[0]).toContain(hiddenMark)
  await t.lift()
  for (const text of await texts()) expect(text).toContain(word)
})

test('scheduled posts of a suspended person wait for the end of the suspension, and those of others do not [INST-04]', async () => {
  const t = await start()
  await schedule(t.odile, 'of the suspended', inMinutes(t, 5))
  await schedule(t.ben, 'of another', inMinutes(t, 5))
  await t.suspend(false, inMinutes(t, 10))
  t.clock.advance(6 * minute)
  await publishDue(t)
  const shown = async () => {
    const rows = await t.db.select({ content: posts.content }).from(posts)
    return rows.map(({ content }) => content).filter((content) => content.startsWith('of '))
  }
  expect(await shown()).toEqual(['of another'])
  t.clock.advance(5 * minute)
  await publishDue(t)
  expect((await shown()).toSorted()).toEqual(['of another', 'of the suspended'])
})

test('a waiting post of a suspended person stays in the queue; approved meanwhile, it is hidden until the lift and found after it [INST-04]', async () => {
  const t = await start()
  const { id } = await t.odile.does(submitPost, {
    input: { content: 'An osprey waits', authorName: 'Odile' },
  })
  await t.suspend(true)
  expect(await t.boss.does(listAdminPosts, { query: { status: 'pending' } })).toMatchObject([{ id }])
  await t.boss.does(approvePost, { params: { id } })
  const shown = async () => {
    const day = await t.visitor().does(getFeedDay, today)
    const found = (await t.visitor().does(search, { query: { q: 'osprey' } })).posts.found
    return [day.some((post) => post.id === id), found.length]
  }
  await storeWords(t.db)
  expect(await shown()).toEqual([false, 0])
  await t.lift()
  expect(await shown()).toEqual([true, 1])
})

test('an earlier day with nothing but hidden posts counts as empty [INST-04]', async () => {
  const t = await start()
  await t.db.execute(sql`update posts set published_on = '2025-06-09' where id = ${t.ids.id}`)
  const last = async () => (await t.visitor().does(getLastFeedDay, { params: { day: '2025-06-10' } })).day
  expect(await last()).toBe('2025-06-09')
  await t.suspend(true)
  expect(await last()).toBeNull()
})

test('with many posts and suspensions a day of the feed is still read in the order of its index [INST-04]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`
    insert into users (id, username, created_at) select 'person' || n, 'person' || n, now() from generate_series(1, 500) n`)
  await db.execute(sql`
    insert into suspensions select id, 'Unkind', null, true from users where id like '%7'`)
  await db.execute(sql`
    insert into posts (id, content, author_name, author_id, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), 'A text', 'Ana', 'person' || (n % 500 + 1), 'standard', at, at, at::date, ''
    from (select n, now() - n * interval '5 minutes' as at from generate_series(1, 20000) n) numbered`)
  await db.execute(sql`analyze posts, suspensions, users`)
  const { rows } = await db.execute<{ day: string }>(
    sql`select (now() - interval '20 days')::date::text as day`,
  )
  for (const query of [listPostsOfDay(db, rows[0]!.day, { limit: 201 }), lastDayBefore(db, rows[0]!.day)]) {
    const plan = await planOf(db, query)
    expect(plan).toContain('posts_of_feed_day')
    expect(plan).toMatch(/hashed SubPlan/)
    expect(plan).not.toMatch(/Sort|Seq Scan on posts/)
  }
})
