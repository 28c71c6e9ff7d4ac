import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  changeRoomMembership,
  getRoom,
  getRoomMembership,
  joinRoom,
  listPassages,
} from '#contract/rooms/endpoints.ts'
import { getTurn, returnToTable, renewLease, takeSeat } from '#contract/rooms/table/endpoints.ts'
import { FakeNotification } from '#web/features/notifications/testing.tsx'
import { ana } from '#web/testing/people.ts'
import { aPassage, story } from '../room/testing.tsx'
import { aTable, ben, cleo, field, inSeconds, seat, startTablePage } from './testing.tsx'

const { server, openTable } = startTablePage()

const sentence = (text: string | RegExp) => screen.findByText(text)
const theirs = 'Ben Ode is writing. Prepare your lines. Nobody sees them.'
const list = async () => within((await screen.findAllByRole('list', { name: 'Seats at the table' }))[0]!)
const seats = async () => (await list()).getAllByRole('listitem')
const renewals = () => server.inputs(renewLease)
const look = (state: DocumentVisibilityState) =>
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
const setVisibility = (state: DocumentVisibilityState) => {
  look(state)
  fireEvent(document, new Event('visibilitychange'))
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('a member sees who sits at the table, whose turn it is and what each has written, and prepares lines [TURN-02]', async () => {
  openTable({
    turn: { seats: [seat(ana.id, { words: 1 }), seat(ben, { words: 12 }), seat(cleo, { state: 'away' })] },
  })
  expect(await sentence(theirs)).toBeTruthy()
  expect((await seats()).map((item) => [item.textContent, item.getAttribute('aria-current')])).toEqual([
    ['ALYou1 word', null],
    ['BOBen Odewriting, 12 words', 'true'],
    ['CRCleo Rayaway', null],
  ])
  expect((await field()).placeholder).toBe('Prepare your lines...')
  expect(screen.queryByRole('button', { name: 'Pass' })).toBeNull()
  expect(server.calls(takeSeat)).toEqual([])
  expect(renewals()).toEqual([])
})

test('a member who opens the page for the first time takes a seat, once [TURN-02]', async () => {
  const { table } = openTable({ turn: { seats: [seat(ben)] } })
  server.on(takeSeat, () => {
    table.turn = { ...table.turn, revision: 6, seats: [seat(ben), seat(ana.id)] }
    return table.turn
  })
  expect(await sentence(theirs)).toBeTruthy()
  expect(await seats()).toHaveLength(2)
  await pass(20_000)
  expect(server.calls(takeSeat)).toHaveLength(1)
})

test('a member who could not get a seat asks for it by a button [TURN-02]', async () => {
  server.refuse(takeSeat, 'NotAllowed')
  const { table } = openTable({ turn: { seats: [seat(ben)] } })
  const button = await screen.findByRole('button', { name: 'Take a seat' })
  server.on(takeSeat, () => ({ ...table.turn, placeInLine: 2 }))
  button.focus()
  fireEvent.click(button)
  expect(await sentence('Ben Ode is writing. You are 2nd in line for a seat.')).toBeTruthy()
  expect(document.activeElement).toBe(await field())
})

test('a person in the line reads of the new place when the line has moved [TURN-02]', async () => {
  const { emitTurn } = openTable({ turn: { seats: [seat(ben)], placeInLine: 2, waitingCount: 2 } })
  await sentence('Ben Ode is writing. You are 2nd in line for a seat.')
  act(() => emitTurn({ placeInLine: 1, waitingCount: 1 }))
  expect(await sentence('Ben Ode is writing. You are 1st in line for a seat.')).toBeTruthy()
})

test('a reader who is no member sees whose turn it is, may join, and takes no seat [TURN-02]', async () => {
  openTable({ room: aTable({ isMember: false }) })
  expect(await sentence('Ben Ode is writing.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Join The mill' })).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(server.calls(takeSeat)).toEqual([])
})

test('a reader of a closed table is not offered to join [TURN-02]', async () => {
  openTable({ room: aTable({ isMember: false, isClosed: true }) })
  expect(await sentence('Ben Ode is writing.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Join/ })).toBeNull()
  expect(server.calls(joinRoom)).toEqual([])
})

test('the visible page of the holder renews the lease at once and every 8 s, and a hidden page does not [TURN-05]', async () => {
  const { emitTurn } = openTable()
  await sentence(theirs)
  act(() => emitTurn({ holderId: ana.id, number: 4, endsAt: inSeconds(120) }))
  expect(await sentence('Your turn.')).toBeTruthy()
  await waitFor(() => expect(renewals()).toEqual([{ number: 4 }]))
  await pass(16_000)
  expect(renewals()).toHaveLength(3)
  setVisibility('hidden')
  await pass(16_000)
  expect(renewals()).toHaveLength(3)
  setVisibility('visible')
  await waitFor(() => expect(renewals()).toHaveLength(4))
  act(() => emitTurn({ holderId: ben, number: 5 }))
  await sentence(theirs)
  await pass(16_000)
  expect(renewals()).toHaveLength(4)
})

test('a holder whose renewal is refused sees whose turn it is [TURN-05 TURN-20]', async () => {
  const { table } = openTable({ turn: { holderId: ana.id } })
  server.on(renewLease, ({ fail }) => {
    table.turn = { ...table.turn, revision: 6, number: 4, holderId: ben }
    return fail('TurnOver')
  })
  expect(await sentence(theirs)).toBeTruthy()
})

test('a holder without a connection reads so, until a renewal arrives [TURN-05]', async () => {
  server.disconnect(renewLease)
  const { table } = openTable({ turn: { holderId: ana.id } })
  const offline = 'No connection. What you type is kept on this device.'
  expect(await sentence(offline)).toBeTruthy()
  server.on(renewLease, () => table.turn)
  await pass(8000)
  await waitFor(() => expect(screen.queryByText(offline)).toBeNull())
})

test('a holder whose network is back renews the lease at once [TURN-05]', async () => {
  server.disconnect(renewLease)
  const { table } = openTable({ turn: { holderId: ana.id } })
  const offline = 'No connection. What you type is kept on this device.'
  expect(await sentence(offline)).toBeTruthy()
  server.on(renewLease, () => table.turn)
  act(() => void dispatchEvent(new Event('online')))
  await waitFor(() => expect(screen.queryByText(offline)).toBeNull())
  act(() => void dispatchEvent(new Event('online')))
  await waitFor(() => expect(renewals()).toHaveLength(3))
})

test('a person whose window is hidden gets one notification on the desktop when the turn comes [TURN-05]', async () => {
  vi.stubGlobal('Notification', FakeNotification)
  vi.stubGlobal('isSecureContext', true)
  Object.assign(FakeNotification, { permission: 'granted', shown: [] })
  const { emitTurn } = openTable()
  await sentence(theirs)
  const shown = () => FakeNotification.shown.map(({ text }) => text)
  // A tab keeps the stream while it is hidden.
  look('hidden')
  act(() => emitTurn({ holderId: ana.id, number: 4 }))
  await waitFor(() => expect(shown()).toEqual(['Your turn: The mill']))
  act(() => emitTurn({ waitingCount: 1 }))
  expect(shown()).toHaveLength(1)
  expect(renewals()).toEqual([])
  act(() => emitTurn({ holderId: ben, number: 5 }))
  look('visible')
  act(() => emitTurn({ holderId: ana.id, number: 6 }))
  await sentence('Your turn.')
  expect(shown()).toHaveLength(1)
})

test('a screen reader announces whose turn it is in one place, and that the own turn ends soon [TURN-06]', async () => {
  const { emitTurn } = openTable({ turn: { endsAt: inSeconds(100) } })
  const status = await sentence(theirs)
  expect(status.getAttribute('role')).toBe('status')
  act(() => emitTurn({ holderId: ana.id, number: 4, endsAt: inSeconds(20) }))
  await waitFor(() => expect(status.textContent).toBe('Your turn.'))
  expect(screen.queryByText('15 seconds left in your turn')).toBeNull()
  await pass(6000)
  expect(screen.getByText('15 seconds left in your turn').getAttribute('role')).toBe('status')
})

test('the time of a turn is that of the server, whose clock is another one [TURN-04]', async () => {
  const { emit, room } = openTable({ turn: { now: inSeconds(3600), endsAt: inSeconds(3600 + 75) } })
  await sentence(theirs)
  act(() => emit('ready', { rooms: [room.id] }))
  await act(async () => {})
  expect(screen.getByText('1:15')).toBeTruthy()
  await pass(16_000)
  expect(screen.getByText('59')).toBeTruthy()
})

test('a page that gets states of the table in another order keeps the newest [TURN-03]', async () => {
  const away = [seat(ana.id, { state: 'away' }), seat(ben), seat(cleo)]
  const { emitTurn, table } = openTable({ turn: { seats: away } })
  const old = { ...table.turn, seats: [seat(ben)] }
  const button = await screen.findByRole('button', { name: 'I am back' })
  const holder = async () =>
    (await seats()).find((item) => item.getAttribute('aria-current') === 'true')?.textContent
  act(() => emitTurn({ holderId: cleo, number: 4, revision: 7 }))
  await waitFor(async () => expect(await holder()).toBe('CRCleo Raywriting'))
  act(() => emitTurn({ holderId: ben, number: 3, revision: 6 }))
  server.on(returnToTable, old)
  fireEvent.click(button)
  await waitFor(() => expect(server.calls(returnToTable)).toHaveLength(1))
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  expect(await holder()).toBe('CRCleo Raywriting')
  expect(await seats()).toHaveLength(3)
})

test('a page without a stream asks for the turn every 8 s, and one with a stream does not [TURN-05]', async () => {
  const { table, emit, room } = openTable()
  await sentence(theirs)
  table.turn = { ...table.turn, revision: 6, holderId: ana.id, number: 4 }
  await pass(8000)
  expect(await sentence('Your turn.')).toBeTruthy()
  act(() => emit('ready', { rooms: [room.id] }))
  await act(async () => {})
  const before = server.calls(getTurn).length
  await pass(8000)
  expect(server.calls(getTurn)).toHaveLength(before)
})

test('a page asks for the next turn when the time is over and no event has come [TURN-14]', async () => {
  const { table, emit, room } = openTable({ turn: { endsAt: inSeconds(1) } })
  await sentence(theirs)
  act(() => emit('ready', { rooms: [room.id] }))
  table.turn = { ...table.turn, revision: 6, number: 4, holderId: cleo, endsAt: inSeconds(120) }
  await pass(6000)
  expect(await sentence(/^Cleo Ray is writing\./)).toBeTruthy()
})

test.each(['presses the button', 'types'])('a person who was away and %s is back [TURN-08]', async (how) => {
  const { table } = openTable({ turn: { seats: [seat(ana.id, { state: 'away' }), seat(ben)] } })
  server.on(returnToTable, () => ({ ...table.turn, revision: 6, seats: [seat(ben), seat(ana.id)] }))
  expect(await sentence('You are away. Your turn comes again when you are back.')).toBeTruthy()
  const input = await field()
  if (how === 'types') {
    fireEvent.change(input, { target: { value: 'I' } })
    fireEvent.change(input, { target: { value: 'It' } })
  } else {
    screen.getByRole('button', { name: 'I am back' }).focus()
    fireEvent.click(screen.getByRole('button', { name: 'I am back' }))
  }
  expect(await sentence(theirs)).toBeTruthy()
  expect(server.calls(returnToTable)).toHaveLength(1)
  expect(input.value).toBe(how === 'types' ? 'It' : '')
  const focused = how === 'types' ? document.body : input
  await waitFor(() => expect(document.activeElement).toBe(focused))
})

test('a reader of a folded story sees strips in the place of the texts of others, and the own texts [TURN-15 TURN-16]', async () => {
  const room = aTable({ isFolded: true })
  const folded = (position: number, words: number, userId = ben) =>
    aPassage({ roomId: room.id, position, userId, content: '', folded: true, words })
  const own = aPassage({ roomId: room.id, position: 2, userId: ana.id, content: 'It rains.', words: 2 })
  const { emit, stored } = openTable({ room, passages: [folded(1, 12), own] })
  await waitFor(() => expect(screen.getByText('12 words, folded')).toBeTruthy())
  const texts = () => story().map(([text]) => text)
  expect(texts()).toEqual([undefined, 'It rains.'])
  expect(screen.getByText('In turns')).toBeTruthy()
  expect(screen.getByText('Folded')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Report this passage' })).toBeNull()
  act(() => emit('ready', { rooms: [room.id] }))
  // The event of the own passage is the same for all readers.
  act(() => emit('room.message', folded(2, 2, ana.id)))
  act(() => emit('room.message', folded(3, 1)))
  expect(await screen.findByText('1 word, folded')).toBeTruthy()
  expect(texts()).toEqual([undefined, 'It rains.', undefined])
  // Another device of Ana has sent it.
  stored.passages = [folded(1, 12), own, folded(3, 1), { ...own, position: 4, content: 'Still.' }]
  act(() => emit('room.message', folded(4, 1, ana.id)))
  await waitFor(() => expect(texts()).toEqual([undefined, 'It rains.', undefined, 'Still.']))
})

test('the story is finished for a person who watches its last turn: it unfolds, and its end is announced [TURN-12 TURN-15]', async () => {
  const room = aTable({ isFolded: true })
  const passage = aPassage({ roomId: room.id, position: 1, content: '', folded: true, words: 4 })
  const { emit, stored } = openTable({ room, passages: [passage], turn: { isLast: true } })
  expect(await sentence(/^Ben Ode is writing the last passage\./)).toBeTruthy()
  stored.room = { ...room, isActive: false }
  stored.passages = [{ ...passage, content: 'And so it ends.', folded: false }]
  server.on(getRoom, stored.room)
  act(() => emit('room.expired', { roomId: room.id }))
  expect(await screen.findByText('And so it ends.')).toBeTruthy()
  expect(screen.getByText('The story is finished. This is what you wrote together.')).toBeTruthy()
  expect(screen.getByText('And so it ends.').closest('li')!.className).toContain('unfolding')
})

test('a member who has not said how to sign is asked while sitting down, not in the turn [LOOP-25 TURN-02]', async () => {
  server.on(getRoomMembership, { isMember: true, signsWithName: false, hasChosenSignature: false })
  server.on(changeRoomMembership, () => {
    const membership = { isMember: true, signsWithName: true, hasChosenSignature: true }
    server.on(getRoomMembership, membership)
    return membership
  })
  openTable()
  const dialog = within(await screen.findByRole('dialog', { name: 'Your signature' }))
  fireEvent.click(await dialog.findByRole('radio', { name: /^Ana Lima/ }))
  fireEvent.click(dialog.getByRole('button', { name: 'Take your seat' }))
  await waitFor(() => expect(server.inputs(changeRoomMembership)).toEqual([{ signsWithName: true }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a person whose table could not be loaded reads so, and tries again [R22]', async () => {
  server.refuse(getTurn, 'Unexpected', { error: '404' })
  const { table } = openTable()
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByText('The table could not be loaded.')).toBeTruthy()
  server.on(getTurn, () => table.turn)
  fireEvent.click(again)
  expect(await sentence(theirs)).toBeTruthy()
})

test('a page that opens requests each part of a table once, and once more when its stream begins, also when that begins with a reset [R9 TURN-04]', async () => {
  const { emit, room, table } = openTable()
  const counts = () =>
    [getRoom, getRoomMembership, listPassages, getTurn].map((endpoint) => server.calls(endpoint).length)
  expect(await sentence(theirs)).toBeTruthy()
  expect(counts()).toEqual([1, 1, 1, 1])
  act(() => {
    emit('ready', { rooms: [room.id] })
    emit('reset', {})
    emit('room.turn', table.turn)
  })
  await waitFor(() => expect(counts()).toEqual([2, 2, 2, 2]))
  // The stream was interrupted, and has missed events.
  act(() => {
    emit('ready', { rooms: [room.id] })
    emit('reset', {})
  })
  await waitFor(() => expect(counts()).toEqual([3, 3, 3, 3]))
})
