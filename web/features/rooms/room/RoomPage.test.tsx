import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  deleteFeedRoom,
  getRoom,
  getRoomMembership,
  joinRoom,
  listPassages,
} from '#contract/rooms/endpoints.ts'
import { admin, ana, guest } from '#web/testing/people.ts'
import { FakeObserver, fakeObservers, see } from '#web/testing/fake-observer.ts'
import { after, aRoom, join as pressJoin } from '../testing.tsx'
import { aPassage, field, passages, startRoomPage, story } from './testing.tsx'

const { server, openRoom } = startRoomPage()

const member = () => aRoom({ name: 'The mill', description: 'By the river', isMember: true })
const other = 'h3m9w5zt8v'

test('a member who opens a room sees its name, description, members, time and passages [RVIEW-01 RVIEW-02 RVIEW-03 RVIEW-05 RVIEW-07 RVIEW-09 RVIEW-12]', async () => {
  const room = member()
  openRoom({ room, passages: passages(room.id, 1, 2) })
  expect(await screen.findByRole('heading', { name: 'The mill' })).toBeTruthy()
  for (const text of ['By the river', '4 members', '25m left']) expect(screen.getByText(text)).toBeTruthy()
  expect(screen.getByRole('link', { name: '← Back' }).getAttribute('href')).toBe('/zimmers?view=rooms')
  expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
  expect(screen.queryByRole('img', { name: 'Private room' })).toBeNull()
  expect(screen.queryByRole('button', { name: /Delete/ })).toBeNull()
  expect(story()).toEqual([
    ['Passage 1', `User ${other}`],
    // The same author is not named again.
    ['Passage 2', ''],
  ])
  const path = `GET /api/zimmers/${room.id}`
  expect(server.requests).toEqual(expect.arrayContaining([path, `${path}/membership`, `${path}/messages`]))
})

test('a member of a private room sees a lock, and the names of authors who sign with their names [RVIEW-04 RVIEW-12]', async () => {
  const room = { ...member(), isPublic: false }
  const [named, left] = [
    aPassage({ roomId: room.id, authorName: 'Ben Ober' }),
    aPassage({ roomId: room.id, position: 2, userId: null }),
  ]
  openRoom({ room, passages: [named, left] })
  expect(await screen.findByRole('img', { name: 'Private room' })).toBeTruthy()
  await waitFor(() => expect(story().map(([, author]) => author)).toEqual(['Ben Ober', 'Deleted user']))
})

test('a member of a room without passages is invited to write the first one [RVIEW-08 RVIEW-10]', async () => {
  openRoom({ room: member() })
  const text = await screen.findByText(/No messages yet/)
  expect(text.textContent).toContain('Be the first to contribute to this story!')
  expect(await field()).toBeTruthy()
})

test('a member sees a passage of another person live and in order, and after a gap the page loads the passages again [RVIEW-18 R9]', async () => {
  const room = member()
  const { stored, emit } = openRoom({ room, passages: passages(room.id, 1) })
  await waitFor(() => expect(story()).toHaveLength(1))
  act(() => emit('ready', { rooms: [room.id] }))
  const [second, third, fourth] = passages(room.id, 2, 3, 4)
  act(() => emit('room.message', second!))
  await waitFor(() => expect(story().map(([text]) => text)).toEqual(['Passage 1', 'Passage 2']))
  stored.passages = [...stored.passages, second!, third!, fourth!]
  act(() => emit('room.message', fourth!))
  await waitFor(() =>
    expect(story().map(([text]) => text)).toEqual(['Passage 1', 'Passage 2', 'Passage 3', 'Passage 4']),
  )
})

test('without a stream the page polls the room every 30 seconds, and with a stream it does not [RVIEW-18 GEN-23]', async () => {
  const room = member()
  const { stored, emit, loseStream } = openRoom({ room })
  await screen.findByText(/No messages yet/)
  stored.passages = passages(room.id, 1)
  await act(async () => vi.advanceTimersByTime(30_000))
  await waitFor(() => expect(story()).toHaveLength(1))
  await act(async () => emit('ready', { rooms: [room.id] }))
  const reads = () => server.calls(listPassages).length
  const before = reads()
  await act(async () => vi.advanceTimersByTime(90_000))
  expect(reads()).toBe(before)
  await act(async () => loseStream())
  await act(async () => vi.advanceTimersByTime(30_000))
  expect(reads()).toBe(before + 1)
})

test('a member sees how many people have the room open and who is writing, until that person pauses [RVIEW-18]', async () => {
  const room = member()
  const { emit } = openRoom({ room })
  await field()
  act(() => emit('ready', { rooms: [room.id] }))
  // The page requests the room again: events from before the stream may be missing.
  await waitFor(() => expect(server.calls(getRoom)).toHaveLength(2))
  await act(async () => {})
  act(() => emit('room.presence', { roomId: room.id, count: 3 }))
  act(() => emit('room.joined', { roomId: room.id, memberCount: 5 }))
  expect(screen.getByText('3 here')).toBeTruthy()
  expect(await screen.findByText('5 members')).toBeTruthy()
  act(() => emit('room.writing', { roomId: room.id, userId: ana.id }))
  expect(screen.queryByText(/writing/)).toBeNull()
  act(() => emit('room.writing', { roomId: room.id, userId: other }))
  expect(screen.getByText(`User ${other} is writing …`)).toBeTruthy()
  act(() => void vi.advanceTimersByTime(6000))
  expect(screen.queryByText(/writing/)).toBeNull()
})

test('a member sees the time left in the head and beside the field; 5 minutes, 1 minute and the end are announced, and after the end the field is disabled [RVIEW-05 RVIEW-18 RLIST-28]', async () => {
  const { stored } = openRoom({ room: member() })
  const input = await field()
  input.focus()
  const status = () => screen.getByRole('status').textContent
  for (const [minutes, label, announced] of [
    [10, '15m left', ''],
    [10, '5m left', '5 minutes left'],
    [4, '1m left', '1 minute left'],
    [0.25, '45s left', '1 minute left'],
    [0.75, 'Expired', 'The time is up'],
  ] as const) {
    await act(async () => vi.advanceTimersByTime(minutes * 60_000))
    expect([screen.getByRole('timer').textContent, status()]).toEqual([label, announced])
    const besideField = label === 'Expired' ? '0s' : label.replace(' left', '')
    expect(screen.getByTestId('time-left').textContent).toBe(besideField)
    // The last five minutes are announced, and the ring has the colour of a warning.
    expect(screen.getByTestId('time-left').querySelector('.text-warn') !== null).toBe(announced !== '')
  }
  expect(input.disabled).toBe(true)
  stored.room = { ...stored.room, isActive: false }
  await act(async () => vi.advanceTimersByTime(2000))
  expect(await screen.findByText('Nobody wrote in this Z!mmer.')).toBeTruthy()
  expect(screen.queryByPlaceholderText('Continue the story...')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: stored.room.name }))
  expect(screen.getByText('Time is up. This is what you wrote together.')).toBeTruthy()
})

test('a person who is no member of a public room sees no field, and sees one after joining [RLIST-33 PERM-17 PERM-20]', async () => {
  const room = { ...member(), isMember: false }
  const { stored } = openRoom({ room })
  server.on(joinRoom, () => (stored.room = { ...room, isMember: true }))
  const join = await screen.findByRole('button', { name: 'Join The mill' })
  join.focus()
  await pressJoin('The mill')
  const input = await field()
  await waitFor(() => expect(document.activeElement).toBe(input))
  expect(server.calls(joinRoom)).toHaveLength(1)
})

test.each([
  ['a visitor', null],
  ['a guest', guest],
] as const)(
  '%s reads a public room, and the page requests no membership [PERM-17 PERM-20]',
  async (_who, user) => {
    const room = { ...member(), isMember: false }
    openRoom({ room, user, passages: passages(room.id, 1) })
    await waitFor(() => expect(story()).toHaveLength(1))
    expect(screen.queryByPlaceholderText('Continue the story...')).toBeNull()
    expect(server.calls(getRoomMembership)).toEqual([])
  },
)

test('a stranger cannot read a private room, and the page requests no passages [PERM-18]', async () => {
  openRoom({ room: { ...member(), isPublic: false, isMember: false } })
  expect(
    await screen.findByText('This is a private room. You cannot join without an invitation.'),
  ).toBeTruthy()
  expect(screen.getByRole('link', { name: '← Back' })).toBeTruthy()
  expect(server.calls(listPassages)).toEqual([])
})

test('an admin deletes a room on its page, and sees the list again [RVIEW-06 RVIEW-17 RVIEW-19 ERR-21 ERR-22 API-35]', async () => {
  const room = member()
  server.on(deleteFeedRoom, { ok: true })
  openRoom({ room, user: admin })
  fireEvent.click(await screen.findByRole('button', { name: 'Delete The mill' }))
  const question = await screen.findByRole('alertdialog')
  expect(question.textContent).toContain(
    'Are you sure you want to delete the Z!mmer "The mill"? This action cannot be undone.',
  )
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Z!mmer deleted successfully')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'OK' }))
  await vi.waitFor(() => expect(location.search).toBe('?view=rooms'))
  expect(server.changes).toEqual([`DELETE /api/zimmer-rooms/${room.id}`])
})

test('a member who has a room open while it is deleted reads that it was deleted [RVIEW-19 S42]', async () => {
  const room = member()
  const { emit } = openRoom({ room })
  await field()
  act(() => emit('ready', { rooms: [room.id] }))
  act(() => emit('room.deleted', { roomId: room.id }))
  expect(screen.getByText('This Z!mmer was deleted.')).toBeTruthy()
})

test('a member keeps the story that cannot be refreshed, and reads that in a quiet line [RVIEW-18 SHELL-91]', async () => {
  const room = member()
  const { emit, stored } = openRoom({ room, passages: passages(room.id, 1) })
  await waitFor(() => expect(story()).toHaveLength(1))
  server.refuse(listPassages, 'PrivateRoom')
  act(() => emit('reset', {}))
  expect(await screen.findByText('The story could not be refreshed.')).toBeTruthy()
  expect(story()).toHaveLength(1)
  server.on(listPassages, stored.passages)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText('The story could not be refreshed.')).toBeNull())
})

test('a story that could not be refreshed while the server was gone is refreshed when the stream resumes [RVIEW-18 SHELL-91]', async () => {
  const room = member()
  const { emit, loseStream, stored } = openRoom({ room, passages: passages(room.id, 1) })
  await waitFor(() => expect(story()).toHaveLength(1))
  await act(async () => emit('ready', { rooms: [room.id] }))
  await act(async () => loseStream())
  server.refuse(listPassages, 'PrivateRoom')
  await act(async () => vi.advanceTimersByTime(30_000))
  expect(await screen.findByText('The story could not be refreshed.')).toBeTruthy()
  server.on(listPassages, stored.passages)
  await act(async () => emit('ready', { rooms: [room.id] }))
  await waitFor(() => expect(screen.queryByText('The story could not be refreshed.')).toBeNull())
})

test('a person whose room could not be loaded tries again, and reads that the room no longer exists', async () => {
  // A refusal that names 404 is not retried.
  server.refuse(getRoom, 'Unexpected', { error: '404' })
  openRoom({ room: member() })
  const again = await screen.findByRole('button', { name: 'Try again' })
  server.refuse(getRoom, 'RoomNotFound')
  fireEvent.click(again)
  expect(await screen.findByText('This Z!mmer no longer exists.')).toBeTruthy()
})

test('a person loads the earlier passages of a long story with a button [S30]', async () => {
  const room = member()
  server.on(listPassages, ({ query }) => passages(room.id, ...(query.before === '3' ? [1, 2] : [3, 4])))
  openRoom({ room })
  fireEvent.click(await screen.findByRole('button', { name: 'Earlier passages' }))
  await waitFor(() => expect(story()).toHaveLength(4))
  expect(screen.queryByRole('button', { name: 'Earlier passages' })).toBeNull()
})

test('a visitor sees the passages of a finished story, its contributors with their shares, and its files [RVIEW-07 RLIST-28]', async () => {
  const room = { ...member(), isActive: false, expiresAt: after(-10) }
  openRoom({
    room,
    user: null,
    passages: [
      aPassage({ roomId: room.id, position: 1, content: 'one two three' }),
      aPassage({ roomId: room.id, position: 2, content: 'four', userId: ana.id, authorName: 'Ana Lima' }),
    ],
  })
  const list = await screen.findByRole('list', { name: 'The story' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['one two three', 'four'])
  fireEvent.click(screen.getByRole('switch', { name: 'Show who wrote what' }))
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([`User ${other}one two three`, 'Ana Limafour'])
  expect(screen.getByText('3 words · 75%')).toBeTruthy()
  expect(screen.getByText('1 word · 25%')).toBeTruthy()
  expect(screen.getByText('June 10, 2025')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Save as…' })).toBeTruthy()
  expect(document.activeElement).toBe(document.body)
  expect(screen.queryByText(/^Time is up/)).toBeNull()
})

test('a member sees one clock on a wide window: the ring beside the field only while the one in the head is scrolled away [RVIEW-05]', async () => {
  fakeObservers()
  openRoom({ room: member() })
  await field()
  const besideField = screen.getByTestId('time-left')
  expect(besideField.className).not.toContain('sm:invisible')
  const head = screen.getByRole('timer').closest('.max-sm\\:sr-only')!
  see(head)
  expect(besideField.className).toContain('sm:invisible')
  for (const observer of FakeObserver.created.filter(({ observed }) => observed.has(head)))
    observer.report(false)
  expect(besideField.className).not.toContain('sm:invisible')
})

test.each([
  [65, '1h05'],
  [61.5, '1h01'],
  [120, '2h'],
  [60, '1h'],
  [59, '59m'],
])('a member sees %d minutes left as %s in the ring beside the field [RVIEW-05]', async (minutes, label) => {
  openRoom({ room: { ...member(), duration: 120, expiresAt: after(minutes) } })
  await field()
  expect(screen.getByTestId('time-left').textContent).toBe(label)
})
