import { expect, onTestFinished, test, vi, type TestContext } from 'vitest'
import { changePassword, deleteAccount, getMe, login, register } from '#contract/account/endpoints.ts'
import { changeSettings, getSettings } from '#contract/account/settings/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { approvePosts, listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { buildApp } from '../app.ts'
import { testClock } from '../platform/clock.ts'
import { systemRandom } from '../platform/ids.ts'
import { createLocalBus } from '../platform/live/bus.ts'
import { auditLog } from '../platform/schema.ts'
import { type Messenger, startTwoApps } from '../testing/messengers.ts'
import { addressOf, openStream, tryToOpenStream } from '../testing/stream-client.ts'
import { Client, startTestApp } from '../testing/test-app.ts'

const messengers = ['NOTIFY', 'Redis'] as const satisfies Messenger[]
const patience = { timeout: 20_000, interval: 20 }

const withLimits = (context: TestContext) => startTwoApps('Redis', context, { trustProxy: '127.0.0.1' })

test.for(messengers)(
  'over %s readers at every process see at once what was approved, published or hidden at one of them [ADM-18 R5 R9]',
  async (messenger, context) => {
    const { admin, person, visitor, atOther, clock } = await startTwoApps(messenger, context)
    const boss = await admin()
    const ana = await person()
    const readers = [visitor(), atOther(visitor())]
    // No time goes by, in which a process would read the day again by itself.
    const instant = clock.monotonicMs()
    clock.monotonicMs = () => instant
    const today = { params: { offset: '0' } }
    const shown = () =>
      Promise.all(
        readers.map(async (reader) => (await reader.does(getFeedDay, today)).map(({ content }) => content)),
      )
    expect(await shown()).toEqual([[], []])

    await visitor().does(submitPost, { input: { content: 'approved', authorName: 'Ben' } })
    const pending = await atOther(boss).does(listPendingPosts)
    await boss.does(approvePosts, { input: { postIds: pending.map(({ id }) => id) } })
    await vi.waitFor(async () => expect(await shown()).toEqual([['approved'], ['approved']]), patience)

    await atOther(ana).does(submitPost, { input: { content: 'of Ana', authorName: 'Ana', type: 'premium' } })
    const both = expect.arrayContaining(['approved', 'of Ana'])
    await vi.waitFor(async () => expect(await shown()).toEqual([both, both]), patience)

    const hidden = { params: { id: pending[0]!.id }, input: { isVisible: false } }
    await boss.does(changePostVisibility, hidden)
    await vi.waitFor(async () => expect(await shown()).toEqual([['of Ana'], ['of Ana']]), patience)
  },
)

test('readers at a process that missed the message see a new post after 5 s [R5 R9]', async () => {
  const clock = testClock('2025-06-10T12:00:00Z')
  let now = clock.monotonicMs()
  clock.monotonicMs = () => now
  const { config, db, person, visitor } = await startTestApp({ clock, busFor: createLocalBus })
  // Its bus is connected with no other.
  const other = await buildApp({ config, database: db, clock, random: systemRandom })
  onTestFinished(() => other.close())
  const readers = [visitor(), new Client((options) => other.inject(options))]
  const shown = () =>
    Promise.all(
      readers.map(async (reader) =>
        (await reader.does(getFeedDay, { params: { offset: '0' } })).map(({ content }) => content),
      ),
    )
  expect(await shown()).toEqual([[], []])
  const ana = await person()
  await ana.does(submitPost, { input: { content: 'of Ana', authorName: 'Ana', type: 'premium' } })
  now += 4999
  expect(await shown()).toEqual([['of Ana'], []])
  now += 1
  expect(await shown()).toEqual([['of Ana'], ['of Ana']])
})

test.for(messengers)(
  'over %s every process has the settings of a person that were changed at one of them, and shows the link to the page of the person as they say [PPL-03 R5]',
  async (messenger, context) => {
    const { person, visitor, atOther, clock } = await startTwoApps(messenger, context)
    const ana = await person()
    await ana.does(submitPost, { input: { content: 'of Ana', authorName: 'Person1 Test', type: 'premium' } })
    const instant = clock.monotonicMs()
    clock.monotonicMs = () => instant
    const today = { params: { offset: '0' } }
    const linked = () =>
      Promise.all(
        [visitor(), atOther(visitor())].map(
          async (reader) => (await reader.does(getFeedDay, today))[0]?.authorHasPage,
        ),
      )
    await vi.waitFor(async () => expect(await linked()).toEqual([true, true]), patience)
    for (const [at, hasPage] of [
      [ana, false],
      [atOther(ana), true],
    ] as const) {
      await at.does(changeSettings, { input: { hasPage, showName: hasPage } })
      for (const device of [ana, atOther(ana)])
        expect(await device.does(getSettings)).toMatchObject({ hasPage, showName: hasPage })
      await vi.waitFor(async () => expect(await linked()).toEqual([hasPage, hasPage]), patience)
    }
  },
)

test('at midnight every process names the new day', async (context) => {
  const { visitor, atOther, clock } = await startTwoApps('NOTIFY', context)
  const days = () =>
    Promise.all([visitor(), atOther(visitor())].map(async (reader) => (await reader.does(getConfig)).today))
  expect(await days()).toEqual(['2025-06-10', '2025-06-10'])
  // Each process reads the time of the database, exact to half the time that the reading took: at most half a second.
  clock.set('2025-06-10T22:00:01Z')
  expect(await days()).toEqual(['2025-06-11', '2025-06-11'])
})

const endings = {
  'changes the password': (client: Client) =>
    client.does(changePassword, { input: { newPassword: 'another pass 1' } }),
  'deletes the account': (client: Client) => client.does(deleteAccount),
}

test.for(
  messengers.flatMap((messenger) => Object.entries(endings).map((ending) => [messenger, ...ending] as const)),
)(
  'over %s a person who %s at one process loses the other sessions at both, and their streams end [S14 S15 S23]',
  async ([messenger, , end], context) => {
    const { app, other, person, visitor, atOther } = await startTwoApps(messenger, context)
    const ana = await person()
    const device = visitor()
    await device.does(login, { input: { email: ana.me.email!, password: 'secret pass 1' } })
    device.user = ana.me
    const streams = [
      await openStream(app, device, { inbox: ana.me.id }),
      await openStream(other, atOther(device), { inbox: ana.me.id }),
    ]
    await end(ana)
    for (const at of [device, atOther(device)]) expect((await at.tries(getMe)).status).toBe(401)
    await Promise.all(streams.map(({ ended }) => ended))
  },
)

/** Does the same at one process and the other in turn, and returns the status of each answer. */
async function alternate(
  times: number,
  clients: Client[],
  work: (client: Client) => Promise<{ status: number }>,
) {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push((await work(clients[i % clients.length]!)).status)
  return statuses
}

test('a person changes the password at most five times in 15 minutes at all processes together [S12 S47]', async (context) => {
  const { person, atOther } = await withLimits(context)
  const ana = await person()
  let latest = ana
  const statuses = await alternate(7, [ana, atOther(ana)], (client) => {
    // Each change renews the session of the browser.
    for (const [name, value] of latest.cookies) client.cookies.set(name, value)
    latest = client
    return client.tries(changePassword, { input: { newPassword: 'another pass 1' } })
  })
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
})

test('an address registers at most ten people in ten minutes at all processes together [S47]', async (context) => {
  const { visitor, atOther } = await withLimits(context)
  let people = 0
  const statuses = await alternate(11, [visitor(), atOther(visitor())], (client) => {
    const input = { email: `new${people++}@example.org`, password: 'secret pass 1', firstName: 'New' }
    client.cookies.clear()
    return client.tries(register, { input, headers: { 'x-forwarded-for': '203.0.113.7' } })
  })
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429])
})

test('who guesses a password waits at every process, and the owner at another address does not [S12]', async (context) => {
  const { person, visitor, atOther } = await withLimits(context)
  const ana = await person()
  const signIn = (password: string, address: string) => (client: Client) =>
    client.tries(login, {
      input: { email: ana.me.email!, password },
      headers: { 'x-forwarded-for': address },
    })
  const guessers = [visitor(), atOther(visitor())]
  const statuses = await alternate(8, guessers, signIn('not this one', '203.0.113.7'))
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429])
  expect((await signIn('secret pass 1', '203.0.113.8')(atOther(visitor()))).status).toBe(200)
})

test('a person has six streams at all processes together, and one that ends makes a place free [R12]', async (context) => {
  const { app, other, person, atOther } = await withLimits(context)
  const ana = await person()
  await Promise.all([addressOf(app), addressOf(other)])
  const open = [app, other, app, other, app, other].map((at) =>
    openStream(at, at === app ? ana : atOther(ana)),
  )
  const [first] = await Promise.all(open)
  for (const at of [app, other]) {
    const seventh = await tryToOpenStream(at, ana)
    expect([seventh.status, seventh.headers.get('retry-after')]).toEqual([429, '5'])
  }
  first!.close()
  await vi.waitFor(async () => expect((await tryToOpenStream(other, ana)).status).toBe(200), patience)
})

test('each call that is refused at one of two processes is in the audit log once [S49 S52]', async (context) => {
  const { app, other, db, person, atOther } = await withLimits(context)
  const ana = await person()
  const statuses = await alternate(8, [ana, atOther(ana)], (client) => client.tries(listPendingPosts))
  expect(new Set(statuses)).toEqual(new Set([403]))
  await app.close()
  await other.close()
  const rows = (await db.select().from(auditLog)).filter(({ action }) => action === 'admin-call-refused')
  expect(new Set(rows.map(({ actorId }) => actorId))).toEqual(new Set([ana.me.id]))
  expect(rows.reduce((sum, { count }) => sum + (count ?? 1), 0)).toBe(8)
})
