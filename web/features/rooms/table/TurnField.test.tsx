import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { passTurn, renewLease } from '#contract/rooms/table/endpoints.ts'
import { ana } from '#web/testing/people.ts'
import { button, press } from '#web/testing/page.tsx'
import { aPassage, story } from '../room/testing.tsx'
import { now } from '../testing.tsx'
import { aTable, ben, cleo, field, inSeconds, seat, startTablePage } from './testing.tsx'

const { server, openTable } = startTablePage()

const mine = { holderId: ana.id, number: 4 }
const over = 'This turn is over. Your text stays here for your next turn.'
const early = 'It is not your turn yet. Your text stays here until it is.'
const sends = () => server.inputs(sendPassage)
const yours = () => screen.findByText('Your turn.')

async function type(text: string) {
  const input = await field()
  fireEvent.change(input, { target: { value: text } })
  return input
}
const enter = (input: HTMLElement) => fireEvent.keyDown(input, { key: 'Enter' })
const stores = (roomId: string) =>
  server.on(sendPassage, ({ input }) => aPassage({ roomId, userId: ana.id, content: input.content }))

test('the holder sends a passage with the number of the turn, and the story shows it [TURN-03 TURN-04]', async () => {
  const { room } = openTable({ turn: mine })
  stores(room.id)
  await yours()
  const input = await type('It rains.')
  expect(input.placeholder).toBe('Continue the story...')
  enter(input)
  await waitFor(() => expect(story().map(([text]) => text)).toEqual(['It rains.']))
  expect(sends()).toEqual([{ content: 'It rains.', turn: 4 }])
  expect(input.value).toBe('')
  expect(screen.queryByText(over)).toBeNull()
})

test('a person who sends in the turn of another reads that it is not the own turn, keeps the text, and sends nothing [TURN-07 TURN-20]', async () => {
  const { emitTurn } = openTable()
  const input = await type('Prepared')
  expect(button('Send').disabled).toBe(true)
  enter(input)
  expect(await screen.findByText(early)).toBeTruthy()
  expect(input.value).toBe('Prepared')
  expect(sends()).toEqual([])
  act(() => emitTurn(mine))
  await yours()
  expect(screen.queryByText(early)).toBeNull()
  expect(button('Send').disabled).toBe(false)
})

test('a holder whose passage comes too late reads so, keeps the text, and sends it in the next turn [TURN-07 TURN-20]', async () => {
  const { table, emitTurn, room } = openTable({ turn: mine })
  server.on(sendPassage, ({ fail }) => {
    table.turn = { ...table.turn, revision: 6, number: 5, holderId: ben }
    return fail('TurnOver')
  })
  await yours()
  const input = await type('Too late')
  enter(input)
  expect(await screen.findByText(over)).toBeTruthy()
  // The server has said so: the page asks for the turn.
  expect(await screen.findByText(/^Ben Ode is writing\./)).toBeTruthy()
  await waitFor(() => expect(input.value).toBe('Too late'))
  expect(story()).toEqual([])
  stores(room.id)
  act(() => emitTurn({ ...mine, number: 6 }))
  await yours()
  expect(screen.queryByText(over)).toBeNull()
  enter(input)
  await waitFor(() => expect(sends().at(-1)).toEqual({ content: 'Too late', turn: 6 }))
  await waitFor(() => expect(input.value).toBe(''))
})

test('a text that was not sent before the turn ended stays in the field with the reason, also after a reload [TURN-07]', async () => {
  const { emitTurn, room } = openTable({ turn: mine })
  await yours()
  const input = await type('Almost done')
  act(() => emitTurn({ holderId: ben, number: 5 }))
  expect(await screen.findByText(over)).toBeTruthy()
  expect(input.value).toBe('Almost done')
  cleanup()
  openTable({ room, turn: { ...mine, number: 6 } })
  const reloaded = await field()
  await waitFor(() => expect(reloaded.value).toBe('Almost done'))
  await waitFor(() => expect(button('Send').disabled).toBe(false))
})

test('a person who writes on after a lost turn no longer reads that it is over [TURN-07]', async () => {
  const { emitTurn } = openTable({ turn: mine })
  await yours()
  await type('Almost done')
  act(() => emitTurn({ holderId: ben, number: 5 }))
  expect(await screen.findByText(over)).toBeTruthy()
  const input = await type('Almost done.')
  expect(screen.queryByText(over)).toBeNull()
  expect(input.value).toBe('Almost done.')
})

/** Begins a turn of this person that lasts 90 s, and returns how to let its time pass. */
function beginTurn(emitTurn: ReturnType<typeof openTable>['emitTurn']) {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now })
  act(() => emitTurn({ ...mine, endsAt: inSeconds(90) }))
  return (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
}

test('2 s before the end, and not earlier, the page sends what is typed [TURN-06]', async () => {
  const { room, emitTurn } = openTable()
  stores(room.id)
  await type('What I have')
  const pass = beginTurn(emitTurn)
  await pass(87.9)
  expect(sends()).toEqual([])
  await pass(0.2)
  expect(sends()).toEqual([{ content: 'What I have', turn: 4 }])
})

test('the page sends nothing at the end when the person has switched that off, which this device keeps for the room [TURN-06]', async () => {
  const { room, emitTurn } = openTable()
  stores(room.id)
  await type('Not yet')
  fireEvent.click(screen.getByRole('switch', { name: 'Send what I have' }))
  await beginTurn(emitTurn)(95)
  expect(sends()).toEqual([])
  cleanup()
  vi.useRealTimers()
  const isOn = () => screen.getByRole('switch', { name: 'Send what I have' }).getAttribute('aria-checked')
  openTable({ room })
  await field()
  expect(isOn()).toBe('false')
  cleanup()
  openTable({ room: aTable() })
  await field()
  expect(isOn()).toBe('true')
})

test('the page sends neither a blank text nor one that is too long at the end [TURN-01 TURN-06]', async () => {
  const { room, emitTurn } = openTable()
  stores(room.id)
  const input = await type('x'.repeat(501))
  expect(screen.getByText('1 letter too many')).toBeTruthy()
  const pass = beginTurn(emitTurn)
  await pass(1)
  expect(button('Send').disabled).toBe(true)
  enter(input)
  await pass(94)
  expect(sends()).toEqual([])
  vi.useRealTimers()
  await type('x'.repeat(499))
  expect(screen.getByText('1 letter left')).toBeTruthy()
})

test('the holder passes: the text stays for the next turn, and nothing says that it was lost [TURN-07]', async () => {
  const { table } = openTable({ turn: mine })
  server.on(passTurn, () => ({ ...table.turn, revision: 6, number: 5, holderId: ben }))
  await yours()
  const input = await type('Later')
  press('Pass')
  expect(await screen.findByText(/^Ben Ode is writing\./)).toBeTruthy()
  expect(server.inputs(passTurn)).toEqual([{ number: 4 }])
  expect(input.value).toBe('Later')
  expect(screen.queryByText(over)).toBeNull()
})

test('a holder who passes by the keyboard goes on in the field, and on a touch screen no keyboard opens [TURN-07]', async () => {
  const { table, emitTurn } = openTable({ turn: mine })
  server.on(
    passTurn,
    () => (table.turn = { ...table.turn, revision: table.turn.revision + 1, holderId: ben }),
  )
  await yours()
  const input = await field()
  button('Pass').focus()
  press('Pass')
  await screen.findByText(/^Ben Ode is writing\./)
  await waitFor(() => expect(document.activeElement).toBe(input))
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: coarse)' }))
  act(() => emitTurn({ ...mine, number: 6 }))
  await yours()
  button('Pass').focus()
  press('Pass')
  await screen.findByText(/^Ben Ode is writing\./)
  expect(document.activeElement).toBe(document.body)
})

test('a holder who cannot pass reads why [TURN-20 R22]', async () => {
  server.disconnect(passTurn)
  openTable({ turn: mine })
  await yours()
  await field()
  press('Pass')
  expect(await screen.findByText('Your turn could not be passed on yet.', {}, { timeout: 9000 })).toBeTruthy()
}, 15_000)

async function openHanding(name: string) {
  fireEvent.keyDown(button('Hand to …'), { key: 'Enter' })
  const items = await screen.findAllByRole('menuitem')
  fireEvent.click(items.find(({ textContent }) => textContent === name)!)
  return items.map(({ textContent }) => textContent)
}
const dan = 'd4n0000000'
const baton = () => aTable({ turns: 'baton' })
const four = [seat(ana.id), seat(ben), seat(cleo), seat(dan, { name: 'Dan' }), seat('z0e', { state: 'away' })]

test('the holder of the baton sends and names the next one, who is ready and has not just written [TURN-10]', async () => {
  const room = baton()
  stores(room.id)
  const passages = [aPassage({ roomId: room.id, userId: ben })]
  const { emitTurn } = openTable({ room, turn: { ...mine, seats: four }, passages })
  await yours()
  const input = await type('For Dan')
  expect(await openHanding('Dan')).toEqual(['Cleo Ray', 'Dan'])
  await waitFor(() => expect(sends()).toEqual([{ content: 'For Dan', turn: 4, next: dan }]))
  act(() => emitTurn({ holderId: dan, number: 5 }))
  await waitFor(() => expect(document.activeElement).toBe(input))
})

test('the holder of the baton without a text passes to the named one [TURN-10]', async () => {
  openTable({ room: baton(), turn: { ...mine, seats: four } })
  await yours()
  await field()
  await openHanding('Ben Ode')
  await waitFor(() => expect(server.inputs(passTurn)).toEqual([{ number: 4, next: ben }]))
})

test('a holder whose choice is refused reads so, keeps the text, and then sends it to nobody [TURN-10]', async () => {
  const room = baton()
  server.refuse(sendPassage, 'NotNext')
  openTable({ room, turn: { ...mine, seats: four } })
  await yours()
  const input = await type('For Dan')
  await openHanding('Dan')
  expect(await screen.findByText(/^This person cannot be next now/)).toBeTruthy()
  expect(input.value).toBe('For Dan')
  stores(room.id)
  enter(input)
  await waitFor(() => expect(sends().at(-1)).toEqual({ content: 'For Dan', turn: 4 }))
})

test.each([
  ['a round', aTable(), mine],
  ['a last turn', baton(), { ...mine, isLast: true }],
  ['a table of one', baton(), { ...mine, seats: [seat(ana.id), seat(ben, { state: 'away' })] }],
])('the holder names nobody in %s [TURN-09 TURN-10 TURN-12]', async (_, room, turn) => {
  openTable({ room, turn })
  await field()
  expect(button('Pass')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Hand to …' })).toBeNull()
})

test('the holder of a folded story sees the last line before the own turn, and nobody else does [TURN-16]', async () => {
  const room = aTable({ isFolded: true })
  const { emitTurn, table } = openTable({ room, turn: { ...mine, tail: 'the lamp went out' } })
  expect(await screen.findByText('… the lamp went out')).toBeTruthy()
  expect(screen.getByText('The last line before you')).toBeTruthy()
  const line = screen.getByText('… the lamp went out')
  // The rule stands where the line begins, also where it is written from the right.
  expect([line.dir, line.className]).toEqual(['auto', expect.stringContaining('border-s-2')])
  table.turn = { ...table.turn, tail: null }
  act(() => emitTurn({ holderId: ben, number: 5 }))
  await screen.findByText(/^Ben Ode is writing\./)
  expect(screen.queryByText('… the lamp went out')).toBeNull()
  // In the next own turn that line is old. The answer to the first renewal brings the new one.
  server.disconnect(renewLease)
  act(() => emitTurn({ ...mine, number: 6 }))
  await yours()
  expect(screen.queryByText('… the lamp went out')).toBeNull()
})

test('a passage whose answer was lost is sent again with its turn, so that it is stored once [TURN-03 TURN-07]', async () => {
  server.disconnect(sendPassage)
  const { room, emitTurn } = openTable({ turn: mine })
  await yours()
  const input = await type('Once')
  enter(input)
  await screen.findByText('Your passage could not be sent yet. It is still here.', {}, { timeout: 9000 })
  // The server had not stored it.
  server.on(sendPassage, ({ input: sent, fail }) =>
    sent.turn === 4 ? fail('TurnOver') : aPassage({ roomId: room.id, userId: ana.id, content: sent.content }),
  )
  act(() => emitTurn({ holderId: ben, number: 5 }))
  await screen.findByText(/^Ben Ode is writing\./)
  act(() => emitTurn({ ...mine, number: 6 }))
  await yours()
  const before = sends().length
  enter(input)
  await waitFor(() => expect(input.value).toBe(''))
  expect(sends().slice(before)).toEqual([
    { content: 'Once', turn: 4 },
    { content: 'Once', turn: 6 },
  ])
  expect(new Set(server.calls(sendPassage).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
}, 15_000)

test('a holder whose story is full reads so at the field [R22]', async () => {
  server.refuse(sendPassage, 'StoryFull', { error: 'It is long.' })
  openTable({ turn: mine })
  await yours()
  const input = await type('One more')
  enter(input)
  expect(await screen.findByText(/^It is long\./)).toBeTruthy()
  expect(input.value).toBe('One more')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
