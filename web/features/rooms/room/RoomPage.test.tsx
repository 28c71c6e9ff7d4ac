import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { admin, ana, guest, startFakes } from '#web/shell/testing.tsx'
import { after, aRoom } from '../testing.tsx'
import { aPassage, field, openRoom, passages, story } from './testing.tsx'

startFakes()
beforeEach(() => {
  indexedDB.deleteDatabase('drafts')
})

const member = () => aRoom({ name: 'The mill', description: 'By the river', isMember: true })
const other = 'h3m9w5zt8v'

test('a room opens with its name, description, members and time, and loads its passages [RVIEW-01 RVIEW-02 RVIEW-03 RVIEW-05 RVIEW-07 RVIEW-09 RVIEW-12]', async () => {
  const room = member()
  const { calls, path } = openRoom({ room, passages: passages(room.id, 1, 2) })
  expect(await screen.findByRole('heading', { name: 'The mill' })).toBeTruthy()
  for (const text of ['By the river', '4 members', '25m left']) expect(screen.getByText(text)).toBeTruthy()
  expect(screen.getByRole('link', { name: '← Back' }).getAttribute('href')).toBe('/zimmers?view=rooms')
  expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
  expect(screen.queryByRole('img', { name: 'Private room' })).toBeNull()
  expect(screen.queryByRole('button', { name: /Delete/ })).toBeNull()
  expect(story()).toEqual([
    ['Passage 1', `User ${other}`],
    ['Passage 2', `User ${other}`],
  ])
  expect(calls()).toEqual(
    expect.arrayContaining([`GET ${path}`, `GET ${path}/membership`, `GET ${path}/messages`]),
  )
})

test('a private room shows a lock, and an author who wants it their name [RVIEW-04 RVIEW-12]', async () => {
  const room = { ...member(), isPublic: false }
  const [named, left] = [
    aPassage({ roomId: room.id, authorName: 'Ben Ober' }),
    aPassage({ roomId: room.id, position: 2, userId: null }),
  ]
  openRoom({ room, passages: [named, left] })
  expect(await screen.findByRole('img', { name: 'Private room' })).toBeTruthy()
  await waitFor(() => expect(story().map(([, author]) => author)).toEqual(['Ben Ober', 'Deleted user']))
})

test('where nobody has written yet, the room asks for the first passage [RVIEW-08 RVIEW-10]', async () => {
  openRoom({ room: member() })
  const text = await screen.findByText(/No messages yet/)
  expect(text.textContent).toContain('Be the first to contribute to this story!')
  expect(await field()).toBeTruthy()
})

test('a passage of somebody else comes live, in its order; a gap is read anew [RVIEW-18 R9]', async () => {
  const room = member()
  const { house, tell } = openRoom({ room, passages: passages(room.id, 1) })
  await waitFor(() => expect(story()).toHaveLength(1))
  act(() => tell('ready', { rooms: [room.id] }))
  const [second, third, fourth] = passages(room.id, 2, 3, 4)
  act(() => tell('room.message', second!))
  await waitFor(() => expect(story().map(([text]) => text)).toEqual(['Passage 1', 'Passage 2']))
  house.passages = [...house.passages, second!, third!, fourth!]
  act(() => tell('room.message', fourth!))
  await waitFor(() =>
    expect(story().map(([text]) => text)).toEqual(['Passage 1', 'Passage 2', 'Passage 3', 'Passage 4']),
  )
})

test('without a stream the room looks for itself every 30 seconds, with one it does not [RVIEW-18 GEN-23]', async () => {
  const room = member()
  const { house, tell, calls, path, stream } = openRoom({ room })
  await screen.findByText(/No messages yet/)
  house.passages = passages(room.id, 1)
  await act(async () => vi.advanceTimersByTime(30_000))
  await waitFor(() => expect(story()).toHaveLength(1))
  await act(async () => tell('ready', { rooms: [room.id] }))
  const reads = () => calls().filter((call) => call === `GET ${path}/messages`).length
  const before = reads()
  await act(async () => vi.advanceTimersByTime(90_000))
  expect(reads()).toBe(before)
  await act(async () => stream()!.fail('lost'))
  await act(async () => vi.advanceTimersByTime(30_000))
  expect(reads()).toBe(before + 1)
})

test('who is here and who is writing is told, and forgotten [RVIEW-18]', async () => {
  const room = member()
  const { tell, calls, path } = openRoom({ room })
  await field()
  act(() => tell('ready', { rooms: [room.id] }))
  // What was before is read anew.
  await waitFor(() => expect(calls().filter((call) => call === `GET ${path}`)).toHaveLength(2))
  await act(async () => {})
  act(() => tell('room.presence', { roomId: room.id, count: 3 }))
  act(() => tell('room.joined', { roomId: room.id, memberCount: 5 }))
  expect(screen.getByText('3 here')).toBeTruthy()
  expect(await screen.findByText('5 members')).toBeTruthy()
  act(() => tell('room.writing', { roomId: room.id, userId: ana.id }))
  expect(screen.queryByText(/writing/)).toBeNull()
  act(() => tell('room.writing', { roomId: room.id, userId: other }))
  expect(screen.getByText(`User ${other} is writing …`)).toBeTruthy()
  act(() => void vi.advanceTimersByTime(6000))
  expect(screen.queryByText(/writing/)).toBeNull()
})

test('the time left follows the clock and is announced at 5 minutes, 1 minute and the end, where writing stops [RVIEW-05 RVIEW-18 RLIST-28]', async () => {
  const { house } = openRoom({ room: member() })
  const input = await field()
  input.focus()
  const status = () => screen.getByRole('status').textContent
  for (const [minutes, label, announced] of [
    [10, '15m left', ''],
    [10, '5m left', '5 minutes left'],
    [4, '1m left', '1 minute left'],
    [1, 'Expired', 'The time is up'],
  ] as const) {
    await act(async () => vi.advanceTimersByTime(minutes * 60_000))
    expect([screen.getByRole('timer').textContent, status()]).toEqual([label, announced])
  }
  expect(input.disabled).toBe(true)
  house.room = { ...house.room, isActive: false }
  await act(async () => vi.advanceTimersByTime(2000))
  expect(await screen.findByText('Nobody wrote in this Z!mmer.')).toBeTruthy()
  expect(screen.queryByPlaceholderText('Continue the story...')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: house.room.name }))
})

test('a reader of a public room sees no field, and may join; who has no account is led to one [RLIST-33 PERM-17 PERM-20]', async () => {
  const room = { ...member(), isMember: false }
  const { house, calls, path } = openRoom({
    room,
    answers: { [`POST /api/zimmers/${room.id}/join`]: () => ({ body: { ...room, isMember: true } }) },
  })
  const join = await screen.findByRole('button', { name: 'Join The mill' })
  join.focus()
  fireEvent.click(join)
  house.room = { ...house.room, isMember: true }
  const input = await field()
  await waitFor(() => expect(document.activeElement).toBe(input))
  expect(calls()).toContain(`POST ${path}/join`)
})

test.each([
  ['a visitor', null],
  ['a guest', guest],
] as const)(
  '%s reads a public room, and nobody asks whether they are a member [PERM-17 PERM-20]',
  async (_who, user) => {
    const room = { ...member(), isMember: false }
    const { calls, path } = openRoom({ room, user, passages: passages(room.id, 1) })
    await waitFor(() => expect(story()).toHaveLength(1))
    expect(screen.queryByPlaceholderText('Continue the story...')).toBeNull()
    expect(calls()).not.toContain(`GET ${path}/membership`)
  },
)

test('a private room is closed to a stranger, and its passages are not asked for [PERM-18]', async () => {
  const { calls, path } = openRoom({ room: { ...member(), isPublic: false, isMember: false } })
  expect(
    await screen.findByText('This is a private room. You cannot join without an invitation.'),
  ).toBeTruthy()
  expect(screen.getByRole('link', { name: '← Back' })).toBeTruthy()
  expect(calls()).not.toContain(`GET ${path}/messages`)
})

test('an admin deletes the room from within, and is back at the list [RVIEW-06 RVIEW-17 RVIEW-19 ERR-21 ERR-22 API-35]', async () => {
  const room = member()
  const { calls } = openRoom({
    room,
    user: admin,
    answers: { [`DELETE /api/zimmer-rooms/${room.id}`]: () => ({ body: { ok: true } }) },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Delete The mill' }))
  const question = await screen.findByRole('alertdialog')
  expect(question.textContent).toContain(
    'Are you sure you want to delete the Z!mmer "The mill"? This action cannot be undone.',
  )
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Z!mmer deleted successfully')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'OK' }))
  await vi.waitFor(() => expect(location.search).toBe('?view=rooms'))
  expect(calls()).toContain(`DELETE /api/zimmer-rooms/${room.id}`)
})

test('a room that is deleted under its readers, or was before, says so [RVIEW-19 S42]', async () => {
  const room = member()
  const { tell } = openRoom({ room })
  await field()
  act(() => tell('ready', { rooms: [room.id] }))
  act(() => tell('room.deleted', { roomId: room.id }))
  expect(screen.getByText('This Z!mmer was deleted.')).toBeTruthy()
})

test('a story that cannot be read anew stays, and a quiet line says so [RVIEW-18 SHELL-91]', async () => {
  const room = member()
  let status = 200
  const known = passages(room.id, 1)
  const { tell } = openRoom({
    room,
    answers: { [`GET /api/zimmers/${room.id}/messages`]: () => ({ status, body: known }) },
  })
  await waitFor(() => expect(story()).toHaveLength(1))
  status = 403
  act(() => tell('reset', {}))
  expect(await screen.findByText('The story could not be read anew.')).toBeTruthy()
  expect(story()).toHaveLength(1)
  status = 200
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText('The story could not be read anew.')).toBeNull())
})

test('a room that is not there leads back, one that cannot be read says so and tries again', async () => {
  const room = member()
  let status = 500
  openRoom({ room, answers: { [`GET /api/zimmers/${room.id}`]: () => ({ status, body: { error: '404' } }) } })
  const again = await screen.findByRole('button', { name: 'Try again' })
  status = 404
  fireEvent.click(again)
  expect(await screen.findByText('This Z!mmer no longer exists.')).toBeTruthy()
})

test('of a long story the earlier passages are read when they are asked for [S30]', async () => {
  const room = member()
  openRoom({
    room,
    passages: passages(room.id, 3, 4),
    answers: {
      [`GET /api/zimmers/${room.id}/messages?before=3`]: () => ({ body: passages(room.id, 1, 2) }),
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Earlier passages' }))
  await waitFor(() => expect(story()).toHaveLength(4))
  expect(screen.queryByRole('button', { name: 'Earlier passages' })).toBeNull()
})

test('a finished story is read like a page of a book, with who wrote how much of it, and as files [RVIEW-07 RLIST-28]', async () => {
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
  ).toEqual([`one two threeUser ${other}`, 'fourAna Lima'])
  expect(screen.getByText('3 words · 75%')).toBeTruthy()
  expect(screen.getByText('1 word · 25%')).toBeTruthy()
  expect(screen.getByText('June 10, 2025')).toBeTruthy()
  const files = ['EPUB', 'Markdown', 'Plain text'].map((name) =>
    screen.getByRole('link', { name }).getAttribute('href'),
  )
  expect(files).toEqual(['epub', 'md', 'txt'].map((format) => `/api/zimmers/${room.id}/story.${format}`))
  expect(document.activeElement).toBe(document.body)
})
