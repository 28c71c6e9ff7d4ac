import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type InputOf, pathOf } from '#contract/endpoint.ts'
import { getReceipt } from '#contract/rooms/credit/endpoints.ts'
import { joinRoom } from '#contract/rooms/endpoints.ts'
import type { Room } from '#contract/rooms/room.ts'
import { getTurn, hostTable, takeSeat } from '#contract/rooms/table/endpoints.ts'
import { ana } from '#web/testing/people.ts'
import { aPassage } from '../room/testing.tsx'
import { aTable, ben, cleo, field, seat, startTablePage } from './testing.tsx'

const { server, openTable } = startTablePage()

/** Radix opens a menu by the keyboard, too, as a person does who has no pointer. */
async function open(name: string | RegExp) {
  const [trigger] = await screen.findAllByRole('button', { name })
  trigger!.focus()
  fireEvent.keyDown(trigger!, { key: 'Enter' })
  return within(await screen.findByRole('menu'))
}
const select = async (menu: ReturnType<typeof within>, name: string) =>
  fireEvent.click(menu.getByRole('menuitem', { name }))
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

/** The table of Ana. The server answers as if each call succeeded. */
function openOwnTable(more: Partial<Room> = {}) {
  const visit = openTable({ room: aTable({ createdByUserId: ana.id, ...more }) })
  const acts: InputOf<typeof hostTable>[] = []
  server.on(hostTable, ({ input }) => {
    acts.push(input)
    if (input.act !== 'remove') visit.stored.room = { ...visit.stored.room, isClosed: input.act === 'close' }
    return visit.stored.room
  })
  return { ...visit, acts }
}

test('the creator closes the table after a question, and opens it again [TURN-17]', async () => {
  const { acts } = openOwnTable()
  await select(await open('Table'), 'Close table')
  const question = 'Close the table? Nobody new can join. Everybody at the table goes on writing.'
  expect(await screen.findByText(question)).toBeTruthy()
  await press('Cancel')
  expect(acts).toEqual([])
  await select(await open('Table'), 'Close table')
  await press('Close table')
  expect(await screen.findByText('Closed')).toBeTruthy()
  await select(await open('Table'), 'Open table')
  await waitFor(() => expect(screen.queryByText('Closed')).toBeNull())
  expect(acts).toEqual([{ act: 'close' }, { act: 'reopen' }])
})

test('the creator ends the story after a question that says what happens [TURN-17]', async () => {
  const { acts } = openOwnTable()
  await select(await open('Table'), 'End the story…')
  const question =
    'End "The mill" for everybody? The story is finished now, and nobody can write in it any more.'
  expect(await screen.findByText(question)).toBeTruthy()
  await press('End the story')
  await vi.waitFor(() => expect(acts).toEqual([{ act: 'end' }]))
})

test('the creator removes a member at the seat, and the own seat has no menu [TURN-17]', async () => {
  const { acts } = openOwnTable()
  await select(await open(/Ben Ode/), 'Remove Ben Ode…')
  expect(
    await screen.findByText(
      'Remove Ben Ode from this table? Passages of Ben Ode stay in the story. Ben Ode can still read it, but cannot join again.',
    ),
  ).toBeTruthy()
  await press('Remove')
  await vi.waitFor(() => expect(acts).toEqual([{ act: 'remove', userId: ben }]))
  expect(screen.queryByRole('button', { name: /You/ })).toBeNull()
})

test('the creator of a private table reads that the person can no longer read it [TURN-17]', async () => {
  openOwnTable({ isPublic: false })
  await select(await open(/Cleo Ray/), 'Remove Cleo Ray…')
  expect(await screen.findByText(/Cleo Ray can no longer read it, and cannot join again\.$/)).toBeTruthy()
})

test('a creator whose call is refused reads why [TURN-17]', async () => {
  openOwnTable()
  server.refuse(hostTable, 'RoomExpired')
  await select(await open('Table'), 'Close table')
  await press('Close table')
  expect(await screen.findByText('This Z!mmer has ended: its story is finished.')).toBeTruthy()
})

test('other members have no menus, and read that the table is closed [TURN-17]', async () => {
  const { stored, emitTurn } = openTable()
  await field()
  expect(screen.queryByRole('button', { name: /^Table$|Ben Ode|Cleo Ray/ })).toBeNull()
  expect(screen.queryByText('Closed')).toBeNull()
  stored.room = { ...stored.room, isClosed: true }
  act(() => emitTurn({}))
  expect(await screen.findByText('Closed')).toBeTruthy()
})

test('a removed person reads so and finds the way back [TURN-17]', async () => {
  const { stored, emitTurn } = openTable()
  await field()
  stored.room = { ...stored.room, isMember: false }
  act(() => emitTurn({ seats: [seat(ben), seat(cleo)] }))
  const notice = (await screen.findByText('You are no longer at this table.')).closest<HTMLElement>(
    '[role=alert]',
  )!
  expect(within(notice).getByRole('link', { name: '← Back' })).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(server.calls(takeSeat)).toEqual([])
})

test('a removed person keeps the prepared lines, and copies or discards them [TURN-07 TURN-17]', async () => {
  const { stored, emitTurn } = openTable()
  fireEvent.change(await field(), { target: { value: 'The sea wrote back' } })
  stored.room = { ...stored.room, isMember: false }
  act(() => emitTurn({ seats: [seat(ben), seat(cleo)] }))
  const unsent = within(await screen.findByRole('region', { name: 'Not sent' }))
  const text = unsent.getByLabelText<HTMLTextAreaElement>('Your last passage')
  expect([text.value, text.readOnly]).toEqual(['The sea wrote back', true])
  expect(unsent.getByText(/when you were removed from the table/)).toBeTruthy()
  expect(unsent.getByRole('button', { name: 'Copy' })).toBeTruthy()
  expect(unsent.getByRole('button', { name: 'Discard' })).toBeTruthy()
})

test('a person who is removed from a private table learns it although the stream says nothing [TURN-17]', async () => {
  const { stored } = openTable({ room: aTable({ isPublic: false }) })
  await field()
  stored.room = { ...stored.room, isMember: false }
  server.refuse(getTurn, 'PrivateRoom')
  await act(() => vi.advanceTimersByTimeAsync(31_000))
  expect(await screen.findByText('You are no longer at this table.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: /receipt/ })).toBeNull()
})

test('a removed writer saves the receipt of the own passages [CRED-04 TURN-17]', async () => {
  const room = aTable({ isPublic: false })
  const own = aPassage({ roomId: room.id, userId: ana.id, content: 'It rains.' })
  const { stored, emitTurn } = openTable({ room, passages: [own] })
  await field()
  stored.room = { ...stored.room, isMember: false }
  act(() => emitTurn({ seats: [seat(ben), seat(cleo)] }))
  const link = await screen.findByRole('link', { name: 'Save the receipt of your passages' })
  expect(link.getAttribute('href')).toBe(pathOf(getReceipt, { params: { id: room.id } }))
})

test('a person who joins a table that has just closed reads so [TURN-17]', async () => {
  openTable({ room: aTable({ isMember: false }) })
  server.refuse(joinRoom, 'RoomClosed')
  await press('Join The mill')
  const confirm = within(await screen.findByRole('dialog')).getByRole<HTMLButtonElement>('button', {
    name: 'Join',
  })
  // The page preselects a signature once it knows the setting.
  await waitFor(() => expect(confirm.disabled).toBe(false))
  fireEvent.click(confirm)
  expect(await screen.findByText('The creator has closed this table.')).toBeTruthy()
})
