import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { getRoom, listOpenRooms, listPassages, listRooms } from '#contract/rooms/endpoints.ts'
import type { SlowRoom } from '#contract/rooms/room.ts'
import { ben } from '#web/features/friends/testing.tsx'
import { FakeSource } from '#web/lib/live/testing.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { pass } from '#web/lib/testing.ts'
import { ana, guest } from '#web/testing/people.ts'
import { button, press } from '#web/testing/page.tsx'
import { after, anEndedRoom, aRoom, card, startRooms } from './testing.tsx'

const { server, openRooms } = startRooms()

const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const turn = (visibility: DocumentVisibilityState) =>
  act(() => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
    document.dispatchEvent(new Event('visibilitychange'))
  })

test('a visitor sees the title, the description and a button to create a room [RLIST-08 RLIST-09 RLIST-10 RLIST-11 RLIST-13]', async () => {
  openRooms()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Z!mmers')
  expect(screen.getByText('A Z!mmer is a server to tell a story as a group')).toBeTruthy()
  expect(button('Create').disabled).toBe(false)
  expect(headings()).toEqual(["Today's Z!mmers", 'Finished stories'])
  await waitFor(() => expect(document.title).toBe('Z!mmers · Z!mmer'))
})

test('a visitor reads that no room was created today, and is invited to create one [RLIST-14]', async () => {
  openRooms()
  expect(screen.queryByText('No Z!mmers created today')).toBeNull()
  expect(await screen.findByText('No Z!mmers created today')).toBeTruthy()
  expect(screen.getByText('Be the first to start a collaborative story!')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Still open' })).toBeNull()
})

test('a visitor sees the rooms in the order of the server [RLIST-07 RLIST-12 API-27]', async () => {
  openRooms({ rooms: [aRoom({ name: 'Second' }), aRoom({ name: 'First' })] })
  await card('First')
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Second',
    'First',
  ])
  expect(server.calls(listRooms)).toHaveLength(1)
})

test('a visitor sees name, description, members, creator, age and time left of a room on its card [RLIST-06 RLIST-15 RLIST-17 RLIST-18 RLIST-19 RLIST-27]', async () => {
  openRooms({ rooms: [aRoom({ name: 'The night train', description: 'One carriage,\none story.' })] })
  const shown = await card('The night train')
  expect(shown.getByText('One carriage, one story.').textContent).toBe('One carriage,\none story.')
  expect(shown.getByText('4 members')).toBeTruthy()
  expect(shown.getByText('User')).toBeTruthy()
  expect(shown.getByText('Created 5m ago').getAttribute('datetime')).toBe(after(-5))
  expect(shown.getByText('25m left')).toBeTruthy()
  expect(shown.getByText('Active')).toBeTruthy()
  expect(shown.queryByText('Expired')).toBeNull()
  expect(shown.queryByRole('img')).toBeNull()
})

test('a visitor sees a lock on the card of a private room, and one member in the singular [RLIST-02 RLIST-15 RLIST-16]', async () => {
  openRooms({ rooms: [aRoom({ name: 'Behind the door', isPublic: false, memberCount: 1 })] })
  const shown = await card('Behind the door')
  expect(shown.getByRole('img', { name: 'Private room' })).toBeTruthy()
  expect(shown.getByText('1 member')).toBeTruthy()
})

test('a room that has ended stays in the list, and everybody can enter it but nobody can join [RLIST-17 RLIST-25 RLIST-28]', async () => {
  const room = anEndedRoom({ name: 'Over' })
  openRooms({ rooms: [room], user: ana })
  const shown = await card('Over')
  expect(shown.getAllByText('Expired')).toHaveLength(2)
  expect(shown.queryByText('Active')).toBeNull()
  expect(shown.getByRole('link', { name: 'Enter Over' }).getAttribute('href')).toBe(`/stories/${room.id}`)
  expect(shown.getByRole<HTMLButtonElement>('button', { name: 'Join Over' }).disabled).toBe(true)
})

test('a visitor sees the state that the server sent on the badge, also when the clock of the device disagrees [RLIST-17 RLIST-28]', async () => {
  openRooms({
    rooms: [
      aRoom({ name: 'Active there', isActive: true, expiresAt: after(-1) }),
      aRoom({ name: 'Ended there', isActive: false, expiresAt: after(1) }),
    ],
  })
  expect((await card('Active there')).getByText('Active')).toBeTruthy()
  expect((await card('Ended there')).getAllByText('Expired')).toHaveLength(2)
})

test('a visitor sees age and time left change with the clock, and a room that ends moves to the ended rooms [RLIST-18 RLIST-19 RLIST-24 RLIST-25 RLIST-26]', async () => {
  const room = aRoom({ name: 'The night train', createdAt: after(0), expiresAt: after(61.25) })
  const { stored } = openRooms({ rooms: [room] })
  const shown = await card('The night train')
  expect(shown.getByText('Created Just now')).toBeTruthy()
  expect(shown.getByText('1h 1m left')).toBeTruthy()
  await pass(90_000)
  expect(shown.getByText('Created 1m ago')).toBeTruthy()
  expect(shown.getByText('59m left')).toBeTruthy()
  await pass(59 * 60_000 + 44_000)
  expect(shown.getByText('0m left')).toBeTruthy()
  const before = server.calls(listRooms).length
  stored.rooms = [{ ...room, isActive: false }]
  await pass(1000)
  expect(server.calls(listRooms).length).toBeGreaterThan(before)
  const ended = within(await screen.findByRole('region', { name: 'Ended today' }))
  expect(ended.getAllByText('Expired')).toHaveLength(2)
  expect(ended.getByRole('article', { name: 'The night train' })).toBeTruthy()
  expect(screen.getByText('No Z!mmer of today is open any more.')).toBeTruthy()
})

test('a visitor sees the list refreshed every 30 seconds while the tab is visible, and at once when the tab becomes visible again [RLIST-29 GEN-23]', async () => {
  const { stored } = openRooms({ rooms: [aRoom({ name: 'One' })] })
  await card('One')
  expect(server.calls(listRooms)).toHaveLength(1)
  await pass(29_000)
  expect(server.calls(listRooms)).toHaveLength(1)
  stored.rooms = [aRoom({ name: 'Two' })]
  await pass(1000)
  await card('Two')
  expect(server.calls(listRooms)).toHaveLength(2)
  expect(server.calls(listOpenRooms)).toHaveLength(2)
  turn('hidden')
  await pass(300_000)
  expect(server.calls(listRooms)).toHaveLength(2)
  turn('visible')
  await waitFor(() => expect(server.calls(listRooms)).toHaveLength(3))
  await pass(30_000)
  expect(server.calls(listRooms)).toHaveLength(4)
})

test('a visitor sees the open rooms of yesterday in a section of their own, which is hidden when there are none [RLIST-57]', async () => {
  const { stored } = openRooms({
    rooms: [aRoom({ name: 'Of today' })],
    open: [aRoom({ name: 'Of yesterday' })],
  })
  await card('Of yesterday')
  const section = within(screen.getByRole('region', { name: 'Still open' }))
  expect(section.getAllByRole('article')).toHaveLength(1)
  expect(section.getByRole('article', { name: 'Of yesterday' })).toBeTruthy()
  stored.open = []
  await pass(30_000)
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Still open' })).toBeNull())
})

test.each([
  ['a stranger', 'a public room', { isPublic: true, isMember: false }, ['Enter'], ['Join']],
  ['a member', 'a public room', { isPublic: true, isMember: true }, ['Enter'], []],
  ['a member', 'a private room', { isPublic: false, isMember: true }, ['Enter'], []],
  ['a stranger', 'a private room', { isPublic: false, isMember: false }, [], ['Private']],
] as const)(
  '%s sees for %s only the actions they may do [RLIST-30 RLIST-31 RLIST-32 RLIST-33 PERM-07 PERM-17 PERM-18 PERM-19]',
  async (_who, _what, access, links, buttons) => {
    const room = aRoom({ name: 'Room', ...access })
    openRooms({ rooms: [room], user: ana })
    const shown = await card('Room')
    const texts = (role: 'link' | 'button') =>
      shown.queryAllByRole(role).map(({ textContent }) => textContent)
    expect(texts('link')).toEqual(links)
    expect(texts('button')).toEqual(buttons)
    for (const link of shown.queryAllByRole('link')) {
      expect(link.getAttribute('href')).toBe(`/zimmers?view=rooms&room=${room.id}`)
    }
    for (const private_ of shown.queryAllByRole<HTMLButtonElement>('button', { name: 'Private' })) {
      expect(private_.disabled).toBe(true)
    }
  },
)

test.each([
  ['a visitor', null],
  ['a guest', guest],
] as const)(
  '%s sees the rooms and enters public ones; Join and Create lead to the sign-up [RLIST-33 PERM-17 PERM-20]',
  async (_who, user) => {
    openRooms({ rooms: [aRoom({ name: 'Open house' })], user })
    const shown = await card('Open house')
    expect(shown.getByRole('link', { name: 'Enter Open house' })).toBeTruthy()
    press('Join Open house')
    press('Create')
    expect(vi.mocked(location.assign).mock.calls).toEqual([['/?onboarding=true'], ['/?onboarding=true']])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(server.changes).toEqual([])
  },
)

test('a person who enters a room sees it, and the address names it [RVIEW-01 RLIST-30]', async () => {
  const room = aRoom({ name: 'Open house' })
  server.on(getRoom, room)
  server.on(listPassages, [])
  openRooms({ rooms: [room] })
  fireEvent.click((await card('Open house')).getByRole('link', { name: 'Enter Open house' }))
  expect(location.search).toBe(`?view=rooms&room=${room.id}`)
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Open house' })).toBeNull())
  expect(screen.queryByText("Today's Z!mmers")).toBeNull()
})

test('a person loads more rooms of a day, and the focus goes to the first new one [RLIST-12 S30]', async () => {
  const [first, second] = [aRoom({ name: 'First' }), aRoom({ name: 'Second' })]
  server.onPages(listRooms, [[first], [second]])
  openRooms()
  await card('First')
  button('Show more').focus()
  press('Show more')
  await card('Second')
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Enter Second' }))
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('a person loads more rooms of a day with ended rooms, and the focus goes to the first new open room [RLIST-12 S30]', async () => {
  const [first, second, ended] = [aRoom({ name: 'First' }), aRoom({ name: 'Second' }), anEndedRoom()]
  server.onPages(listRooms, [[first, ended], [second]])
  openRooms()
  await card('First')
  button('Show more').focus()
  press('Show more')
  await card('Second')
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Enter Second' }))
})

test('a member reads in a section of their own when slow tables end and whose turn it is, a visitor the end alone [TURN-21]', async () => {
  const slow = (name: string, turn: SlowRoom['turn']): SlowRoom => ({
    ...aRoom({
      name,
      turns: 'round',
      turnSeconds: 86_400,
      duration: 10_080,
      expiresAt: after(3 * 1440 + 120),
    }),
    turn,
  })
  const endsAt = after(1440)
  openRooms({
    user: ana,
    slow: [
      slow('Mine', { holderId: ana.id, holderName: null, endsAt }),
      slow('Theirs', { holderId: ben.id, holderName: 'Ben Okafor', endsAt }),
      slow('Unsigned', { holderId: ben.id, holderName: null, endsAt }),
      slow('Others', null),
    ],
  })
  const section = within(await screen.findByRole('region', { name: 'Slow tables' }))
  expect(section.getAllByRole('heading', { level: 3 })).toHaveLength(4)
  const mine = await card('Mine')
  const end = timeOfDay(after(3 * 1440 + 120), { weekday: 'long', month: 'long', day: 'numeric' })
  expect(mine.getByText(`Ends ${end}`).getAttribute('datetime')).toBe(after(3 * 1440 + 120))
  expect(mine.getByText('3 days 2 hours left')).toBeTruthy()
  const until = `until ${timeOfDay(endsAt, { weekday: 'long' })}`
  expect(mine.getByText(`Your turn ${until}`)).toBeTruthy()
  expect((await card('Theirs')).getByText(`Ben Okafor is writing ${until}`)).toBeTruthy()
  expect((await card('Unsigned')).getByText(`User ${ben.id} is writing ${until}`)).toBeTruthy()
  expect((await card('Others')).queryByText(/(turn|writing) until/i)).toBeNull()
})

test.each([
  ['no other room', []],
  ['an ended room', [anEndedRoom()]],
])(
  'where a slow table of today is open beside %s, the list says so [RLIST-14 TURN-21]',
  async (_what, rooms) => {
    const table = aRoom({ name: 'Slow', turns: 'round', turnSeconds: 86_400, expiresAt: after(4320) })
    openRooms({ rooms, slow: [{ ...table, turn: null }] })
    expect(await screen.findByText('The open Z!mmers of today are slow tables.')).toBeTruthy()
    await card('Slow')
    expect(screen.queryByText(/^No Z!mmer/)).toBeNull()
  },
)

test('a slow table of an earlier day is no Z!mmer of today [RLIST-14 TURN-21]', async () => {
  const table = aRoom({
    turns: 'round',
    turnSeconds: 86_400,
    createdAt: after(-1440),
    expiresAt: after(4320),
  })
  openRooms({ slow: [{ ...table, turn: null }] })
  expect(await screen.findByText('No Z!mmers created today')).toBeTruthy()
})

test('a card shows the opening until there is a passage, and the goal [BEGIN-01 BEGIN-02]', async () => {
  const opening = 'It rained upwards.'
  openRooms({
    rooms: [
      aRoom({ name: 'New', opening, wordGoal: 2000 }),
      aRoom({ name: 'Begun', opening, newestPassage: 'The lamp went out.' }),
    ],
  })
  const begun = await card('New')
  expect([begun.getByText(opening), begun.getByText('Goal: 2,000 words')]).toHaveLength(2)
  const other = await card('Begun')
  expect(other.getByText('The lamp went out.')).toBeTruthy()
  expect([other.queryByText(opening), other.queryByText(/^Goal/)]).toEqual([null, null])
})

test('a visitor reads that the list could not be loaded, and loads it again with a button [RLIST-29]', async () => {
  server.refuse(listRooms, 'NotAllowed')
  openRooms()
  expect(await screen.findByText('The Z!mmers could not be loaded.')).toBeTruthy()
  expect(screen.queryByText('No Z!mmers created today')).toBeNull()
  server.on(listRooms, [aRoom({ name: 'Back again' })])
  press('Try again')
  await card('Back again')
})

test('a visitor keeps the list that cannot be refreshed, and reads that in a quiet line [RLIST-29 SHELL-91]', async () => {
  openRooms({ rooms: [aRoom({ name: 'Still here' })] })
  await card('Still here')
  server.refuse(listRooms, 'NotAllowed')
  await pass(30_000)
  expect(await screen.findByText('The list could not be refreshed.')).toBeTruthy()
  expect(screen.getByRole('article', { name: 'Still here' })).toBeTruthy()
})

test('a visitor sees open rooms first with their newest passage, and ended rooms in a section of their own [RLIST-12]', async () => {
  openRooms({
    rooms: [
      anEndedRoom({ name: 'Over' }),
      aRoom({ name: 'Open', newestPassage: 'The lamp went out.' }),
      aRoom({ name: 'Silent' }),
    ],
  })
  await card('Open')
  expect(headings()).toEqual(["Today's Z!mmers", 'Ended today', 'Finished stories'])
  const names = (region: string) =>
    within(screen.getByRole('region', { name: region }))
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent)
  expect(names("Today's Z!mmers")).toEqual(['Open', 'Silent'])
  expect(names('Ended today')).toEqual(['Over'])
  expect((await card('Open')).getByText('The lamp went out.')).toBeTruthy()
})

test('a person who is invited to a private room sees it in the list at once; a visitor waits for nothing [RLIST-52 RLIST-56]', async () => {
  const { stored } = openRooms({ user: ana })
  await screen.findByText('No Z!mmers created today')
  await vi.waitFor(() => expect(FakeSource.open).toHaveLength(1))
  expect(FakeSource.open[0]!.url).toBe(`/api/live?inbox=${ana.id}`)
  const room = aRoom({ name: 'A secret story', isPublic: false, isMember: true })
  stored.rooms = [room]
  FakeSource.open[0]!.send('ready', { inbox: [ana.id] }, '0')
  FakeSource.open[0]!.send('friend.added', { ...ben, addedByFriendAt: null }, '1')
  FakeSource.open[0]!.send('room.invited', room, '2')
  await card('A secret story')
  expect(server.calls(listRooms)).toHaveLength(2)
  cleanup()
  openRooms()
  await screen.findByText('No Z!mmers created today')
  expect(FakeSource.open).toEqual([])
})
