import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ana, guest, startFakes } from '#web/shell/testing.tsx'
import { after, anEndedRoom, aRoom, button, card, openRooms, press, readsOfToday } from './testing.tsx'
import { pass } from '#web/lib/testing.ts'

const { led } = startFakes()

const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const turn = (visibility: DocumentVisibilityState) =>
  act(() => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
    document.dispatchEvent(new Event('visibilitychange'))
  })

test('the page has its title, its line and a way to create a room [RLIST-08 RLIST-09 RLIST-10 RLIST-11 RLIST-13]', async () => {
  openRooms()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Z!mmers')
  expect(screen.getByText('A Z!mmer is a server to tell a story as a group')).toBeTruthy()
  expect(button('Create').disabled).toBe(false)
  expect(headings()).toEqual(["Today's Z!mmers", 'Finished stories'])
  await waitFor(() => expect(document.title).toBe('Z!mmers · Z!mmer'))
})

test('a day without rooms says so, and invites [RLIST-14]', async () => {
  openRooms()
  expect(screen.queryByText('No Z!mmers created today')).toBeNull()
  expect(await screen.findByText('No Z!mmers created today')).toBeTruthy()
  expect(screen.getByText('Be the first to start a collaborative story!')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Still open' })).toBeNull()
})

test('the rooms are those of the list of rooms, in its order [RLIST-07 RLIST-12 API-27]', async () => {
  const { calls } = openRooms({ rooms: [aRoom({ name: 'Second' }), aRoom({ name: 'First' })] })
  await card('First')
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Second',
    'First',
  ])
  expect(calls(readsOfToday)).toHaveLength(1)
  expect(calls('GET /api/zimmer-rooms')).toEqual([])
})

test('a card shows name, description, members, creator, age and time left of a room [RLIST-06 RLIST-15 RLIST-17 RLIST-18 RLIST-19 RLIST-27]', async () => {
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

test('a private room carries a lock, and one member is told of as one [RLIST-02 RLIST-15 RLIST-16]', async () => {
  openRooms({ rooms: [aRoom({ name: 'Behind the door', isPublic: false, memberCount: 1 })] })
  const shown = await card('Behind the door')
  expect(shown.getByRole('img', { name: 'Private room' })).toBeTruthy()
  expect(shown.getByText('1 member')).toBeTruthy()
})

test('a room that has ended stays in the list, and everybody can still enter it but not join [RLIST-17 RLIST-25 RLIST-28]', async () => {
  openRooms({ rooms: [anEndedRoom({ name: 'Over' })], user: ana })
  const shown = await card('Over')
  expect(shown.getAllByText('Expired')).toHaveLength(2)
  expect(shown.queryByText('Active')).toBeNull()
  expect(shown.getByRole('link', { name: 'Enter Over' })).toBeTruthy()
  expect(shown.getByRole<HTMLButtonElement>('button', { name: 'Join Over' }).disabled).toBe(true)
})

test('the badge follows the server, whatever the clock of this device says [RLIST-17 RLIST-28]', async () => {
  openRooms({
    rooms: [
      aRoom({ name: 'Active there', isActive: true, expiresAt: after(-1) }),
      aRoom({ name: 'Ended there', isActive: false, expiresAt: after(1) }),
    ],
  })
  expect((await card('Active there')).getByText('Active')).toBeTruthy()
  expect((await card('Ended there')).getAllByText('Expired')).toHaveLength(2)
})

test('the labels follow the clock, and the list is read anew when a room ends [RLIST-18 RLIST-19 RLIST-24 RLIST-25 RLIST-26]', async () => {
  const room = aRoom({ name: 'The night train', createdAt: after(0), expiresAt: after(61.25) })
  const { house, calls } = openRooms({ rooms: [room] })
  const shown = await card('The night train')
  expect(shown.getByText('Created Just now')).toBeTruthy()
  expect(shown.getByText('1h 1m left')).toBeTruthy()
  await pass(90_000)
  expect(shown.getByText('Created 1m ago')).toBeTruthy()
  expect(shown.getByText('59m left')).toBeTruthy()
  await pass(59 * 60_000 + 44_000)
  expect(shown.getByText('0m left')).toBeTruthy()
  const before = calls(readsOfToday).length
  house.rooms = [{ ...room, isActive: false }]
  await pass(1000)
  expect(calls(readsOfToday).length).toBeGreaterThan(before)
  await waitFor(() => expect(shown.getAllByText('Expired')).toHaveLength(2))
})

test('the list is read every 30 seconds, not while nobody sees it, and at once when somebody comes back [RLIST-29 GEN-23]', async () => {
  const { house, calls } = openRooms({ rooms: [aRoom({ name: 'One' })] })
  await card('One')
  expect(calls(readsOfToday)).toHaveLength(1)
  await pass(29_000)
  expect(calls(readsOfToday)).toHaveLength(1)
  house.rooms = [aRoom({ name: 'Two' })]
  await pass(1000)
  await card('Two')
  expect(calls(readsOfToday)).toHaveLength(2)
  expect(calls('GET /api/zimmers/open')).toHaveLength(2)
  turn('hidden')
  await pass(300_000)
  expect(calls(readsOfToday)).toHaveLength(2)
  turn('visible')
  await waitFor(() => expect(calls(readsOfToday)).toHaveLength(3))
  await pass(30_000)
  expect(calls(readsOfToday)).toHaveLength(4)
})

test('rooms of yesterday that have not ended stand apart, only when there are any [RLIST-57]', async () => {
  const { house } = openRooms({
    rooms: [aRoom({ name: 'Of today' })],
    open: [aRoom({ name: 'Of yesterday' })],
  })
  await card('Of yesterday')
  const section = within(screen.getByRole('region', { name: 'Still open' }))
  expect(section.getAllByRole('article')).toHaveLength(1)
  expect(section.getByRole('article', { name: 'Of yesterday' })).toBeTruthy()
  house.open = []
  await pass(30_000)
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Still open' })).toBeNull())
})

test.each([
  ['a stranger', 'a public room', { isPublic: true, isMember: false }, ['Enter'], ['Join']],
  ['a member', 'a public room', { isPublic: true, isMember: true }, ['Enter'], []],
  ['a member', 'a private room', { isPublic: false, isMember: true }, ['Enter'], []],
  ['a stranger', 'a private room', { isPublic: false, isMember: false }, [], ['Private']],
] as const)(
  '%s is offered of %s what they may do [RLIST-30 RLIST-31 RLIST-32 RLIST-33 PERM-07 PERM-17 PERM-18 PERM-19]',
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
    const { calls } = openRooms({ rooms: [aRoom({ name: 'Open house' })], user })
    const shown = await card('Open house')
    expect(shown.getByRole('link', { name: 'Enter Open house' })).toBeTruthy()
    press('Join Open house')
    press('Create')
    expect(led.mock.calls).toEqual([['/?onboarding=true'], ['/?onboarding=true']])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(calls('POST')).toEqual([])
    expect(calls().filter((call) => call.includes('membership'))).toEqual([])
  },
)

test('entering shows the room that the address names [RVIEW-01 RLIST-30]', async () => {
  const room = aRoom({ name: 'Open house' })
  openRooms({ rooms: [room] })
  fireEvent.click((await card('Open house')).getByRole('link', { name: 'Enter Open house' }))
  expect(location.search).toBe(`?view=rooms&room=${room.id}`)
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Open house' })).toBeNull())
  expect(screen.queryByText("Today's Z!mmers")).toBeNull()
})

test('a day of many rooms is read on, and the focus goes to the first that comes [RLIST-12 S30]', async () => {
  const [first, second] = [aRoom({ name: 'First' }), aRoom({ name: 'Second' })]
  openRooms({
    answers: {
      'GET /api/zimmers/rooms': () => ({ body: [first], headers: { 'next-before': 'here' } }),
      'GET /api/zimmers/rooms?before=here': () => ({ body: [second] }),
    },
  })
  await card('First')
  button('Show more').focus()
  press('Show more')
  await card('Second')
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Enter Second' }))
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('joining sends no body, and reads membership and list anew [RLIST-34 API-31]', async () => {
  const room = aRoom({ name: 'Open house' })
  const { house, sent, calls } = openRooms({
    rooms: [room],
    user: ana,
    answers: {
      [`POST /api/zimmers/${room.id}/join`]: () => {
        house.rooms = [{ ...room, isMember: true, memberCount: 5 }]
        return { body: house.rooms[0] }
      },
    },
  })
  const shown = await card('Open house')
  button('Join Open house').focus()
  press('Join Open house')
  expect(await shown.findByText('5 members')).toBeTruthy()
  await waitFor(() =>
    expect(document.activeElement).toBe(shown.getByRole('link', { name: 'Enter Open house' })),
  )
  expect(shown.queryByRole('button')).toBeNull()
  expect(calls(readsOfToday)).toHaveLength(2)
  const [joining] = sent.filter(({ method }) => method === 'POST')
  expect(joining).toMatchObject({ path: `/api/zimmers/${room.id}/join`, body: undefined })
  expect(joining?.key).toMatch(/^[0-9a-f]{32}$/)
})

test.each([
  [403, 'PrivateRoom'],
  [403, 'RoomExpired'],
  [401, 'SignInRequired'],
])(
  'a joining that is refused with %d %s says the one sentence for it [ERR-18 ERR-20 GEN-21]',
  async (status, code) => {
    const room = aRoom({ name: 'Open house' })
    const { calls } = openRooms({
      rooms: [room],
      user: ana,
      answers: { [`POST /api/zimmers/${room.id}/join`]: () => ({ status, body: { code, error: 'No.' } }) },
    })
    await card('Open house')
    press('Join Open house')
    const alert = await screen.findByRole('alertdialog')
    expect(alert.textContent).toContain('This is a private room. You cannot join without an invitation.')
    expect(alert.textContent).not.toContain('No.')
    expect(calls('POST')).toHaveLength(1)
  },
)

test('a joining that the network lost is logged and told quietly, without an alert [ERR-20 SHELL-91]', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const room = aRoom({ name: 'Open house' })
  openRooms({
    rooms: [room],
    user: ana,
    answers: { [`POST /api/zimmers/${room.id}/join`]: () => 'away' },
  })
  await card('Open house')
  press('Join Open house')
  expect(await screen.findByText('You could not join.')).toBeTruthy()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(logged).toHaveBeenCalledWith('Failed to join the room', expect.any(TypeError))
  expect(button('Join Open house').disabled).toBe(false)
})

test('a list that cannot be read says so, and is read again on request [RLIST-29]', async () => {
  let status = 403
  const { house } = openRooms({
    answers: {
      'GET /api/zimmers/rooms': () => (status === 200 ? { body: house.rooms } : { status, body: {} }),
    },
  })
  expect(await screen.findByText('The Z!mmers could not be loaded.')).toBeTruthy()
  expect(screen.queryByText('No Z!mmers created today')).toBeNull()
  status = 200
  house.rooms = [aRoom({ name: 'Back again' })]
  press('Try again')
  await card('Back again')
})

test('a list that cannot be read anew stays, and a quiet line says so [RLIST-29 SHELL-91]', async () => {
  let status = 200
  const rooms = [aRoom({ name: 'Still here' })]
  openRooms({ answers: { 'GET /api/zimmers/rooms': () => ({ status, body: rooms }) } })
  await card('Still here')
  status = 403
  await pass(30_000)
  expect(await screen.findByText('The list could not be read again.')).toBeTruthy()
  expect(screen.getByRole('article', { name: 'Still here' })).toBeTruthy()
})
