import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { listPassages } from '#contract/rooms/endpoints.ts'
import type { Aside } from '#contract/rooms/table/asides.ts'
import { addAside, listAsides, takeSeat } from '#contract/rooms/table/endpoints.ts'
import { reportButtons, sendReport } from '#web/features/abuse-reports/testing.tsx'
import { draftsOf, keepDraft } from '#web/lib/editor/drafts.ts'
import { ana } from '#web/testing/people.ts'
import { anEndedRoom, now } from '../testing.tsx'
import { aTable, ben, cleo, seat, startTablePage } from './testing.tsx'

const { server, openTable } = startTablePage()

const idOf = (n: number) => `01900000-0000-7000-a000-${String(n).padStart(12, '0')}`

/** The nth aside. */
const anAside = (n: number, more: Partial<Aside> = {}): Aside => ({
  id: idOf(n),
  userId: ben,
  authorName: 'Ben Ode',
  content: `Aside ${n}`,
  createdAt: now.toISOString(),
  ...more,
})

const button = () => screen.findByRole('button', { name: /^Talk/ })
const open = async () => fireEvent.click(await button())
const said = () => within(screen.getByRole('log', { name: 'What was said' })).queryAllByRole('listitem')
const texts = () => said().map((item) => item.lastElementChild!.textContent)
const field = () => screen.findByLabelText<HTMLTextAreaElement>('Say something beside the story')
async function readyField() {
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  return input
}
async function type(text: string) {
  const input = await readyField()
  fireEvent.change(input, { target: { value: text } })
  return input
}
const enter = async (more: object = {}) => fireEvent.keyDown(await field(), { key: 'Enter', ...more })
const sent = () => server.inputs(addAside).map(({ content }) => content)
/** A window as wide as that of a desktop has a rail for the seats. */
const widen = () => {
  const window = { matches: true, addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', (query: string) =>
    query === '(min-width: 80rem)' ? window : { ...window, matches: false },
  )
}

test('the talk is closed and counts what is new; opened, it shows who said what, and nothing is new any more [TURN-18]', async () => {
  server.on(listAsides, [anAside(3), anAside(2, { userId: ana.id, authorName: null }), anAside(1)])
  openTable()
  await waitFor(async () => expect((await button()).textContent).toBe('Talk2 new'))
  expect(screen.getByText('New in the talk: 2').getAttribute('role')).toBe('status')
  expect(screen.queryByText('Aside 1')).toBeNull()
  await open()
  const sheet = await screen.findByRole('dialog', { name: 'Talk' })
  expect(sheet.textContent).toContain('no part of the story. Deleted 24 hours after the end.')
  expect(said().map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^Ben Ode.+Aside 1$/),
    expect.stringMatching(/^You.+Aside 2$/),
    expect.stringMatching(/^Ben Ode.+Aside 3$/),
  ])
  fireEvent.click(within(sheet).getByRole('button', { name: 'Close' }))
  await waitFor(async () => expect((await button()).textContent).toBe('Talk'))
  expect(screen.queryByText(/^New in the talk/)).toBeNull()
})

test('an event brings what others say: it is shown while the talk is open, and counts while it is closed, also after a reload [TURN-18]', async () => {
  server.on(listAsides, [anAside(1)])
  const { emit, room } = openTable()
  await open()
  await waitFor(() => expect(texts()).toEqual(['Aside 1']))
  server.on(listAsides, [anAside(2), anAside(1)])
  act(() => emit('room.aside', { roomId: room.id }))
  await waitFor(() => expect(texts()).toEqual(['Aside 1', 'Aside 2']))
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  server.on(listAsides, [anAside(4, { userId: cleo, authorName: null }), anAside(3), anAside(2), anAside(1)])
  act(() => emit('room.aside', { roomId: room.id }))
  await waitFor(async () => expect((await button()).textContent).toBe('Talk2 new'))
  expect(server.calls(listPassages)).toHaveLength(1)
  cleanup()
  openTable({ room })
  await waitFor(async () => expect((await button()).textContent).toBe('Talk2 new'))
})

test('a person sees what another one says while the page reads the talk for the first time [TURN-18]', async () => {
  const before = Promise.withResolvers<Aside[]>()
  server.on(listAsides, () => before.promise)
  const { emit, room } = openTable()
  await waitFor(() => expect(server.calls(listAsides)).toHaveLength(1))
  server.on(listAsides, [anAside(1)])
  act(() => emit('room.aside', { roomId: room.id }))
  await act(async () => before.resolve([]))
  await waitFor(async () => expect((await button()).textContent).toBe('Talk1 new'))
})

test('a person says something by Enter: it is shown at once, and once, and the field is empty [TURN-18]', async () => {
  const answer = Promise.withResolvers<Aside>()
  server.on(addAside, () => answer.promise)
  openTable()
  await open()
  expect(await screen.findByText('Nobody has said anything yet.')).toBeTruthy()
  await type('Shall she\nleave?')
  for (const more of [{ shiftKey: true }, { isComposing: true }]) expect(await enter(more)).toBe(true)
  expect(sent()).toEqual([])
  await enter()
  expect((await field()).value).toBe('')
  expect((await screen.findByText('Sending…')).parentElement!.textContent).toContain('Shall she\nleave?')
  const own = anAside(5, { userId: ana.id, content: 'Shall she\nleave?' })
  server.on(listAsides, [own])
  await act(async () => answer.resolve(own))
  await waitFor(() => expect(texts()).toEqual(['Shall she\nleave?']))
  expect(screen.queryByText('Sending…')).toBeNull()
  expect(sent()).toEqual(['Shall she\nleave?'])
})

test('a refused or unanswered line stays in the field and on the device, with a sentence, and is sent again [TURN-18 R22]', async () => {
  const { room } = openTable()
  server.refuse(addAside, 'NotSeated')
  await open()
  const input = await type('Wait for me')
  await enter()
  expect(
    await screen.findByText('Only people with a seat at the table talk here. Your line is still here.'),
  ).toBeTruthy()
  expect(input.value).toBe('Wait for me')
  const drafts = async () => (await draftsOf(ana.id, `aside/${room.id}`)).map(({ text }) => text)
  expect(await drafts()).toEqual(['Wait for me'])
  server.on(addAside, ({ input: { content } }) => anAside(6, { userId: ana.id, content }))
  await enter()
  await waitFor(() => expect(input.value).toBe(''))
  await vi.waitFor(async () => expect(await drafts()).toEqual([]))
})

test('a line of more than 500 characters is counted and not sent [TURN-18]', async () => {
  openTable()
  await open()
  await type('🌙'.repeat(499))
  expect(await screen.findByText('1 letter left')).toBeTruthy()
  await type('🌙'.repeat(501))
  expect(screen.getByText('1 letter too many')).toBeTruthy()
  await enter()
  expect(sent()).toEqual([])
  const dialog = screen.getByRole('dialog')
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
})

test('earlier asides are read on demand [TURN-18]', async () => {
  server.onPages(listAsides, [
    [anAside(4), anAside(3)],
    [anAside(2), anAside(1)],
  ])
  openTable()
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'Earlier' }))
  await waitFor(() => expect(texts()).toEqual(['Aside 1', 'Aside 2', 'Aside 3', 'Aside 4']))
  expect(screen.queryByRole('button', { name: 'Earlier' })).toBeNull()
})

test('a talk that could not be loaded says so and is loaded on demand [TURN-18]', async () => {
  server.refuse(listAsides, 'NotAllowed')
  openTable()
  await open()
  expect(await screen.findByText('The talk could not be loaded.')).toBeTruthy()
  server.on(listAsides, [anAside(1)])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(texts()).toEqual(['Aside 1']))
})

test('in a wide window the talk opens in the rail below the seats [TURN-18]', async () => {
  widen()
  server.on(listAsides, [anAside(1)])
  openTable()
  await open()
  expect((await button()).getAttribute('aria-expanded')).toBe('true')
  await waitFor(() => expect(texts()).toEqual(['Aside 1']))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await readyField()).toBeTruthy()
  await open()
  expect(screen.queryByRole('log', { name: 'What was said' })).toBeNull()
})

test.each([
  ['a reader', { room: aTable({ isMember: false }) }],
  ['a visitor', { room: aTable({ isMember: false }), user: null }],
  ['a member who waits for a seat', { turn: { seats: [seat(ben)], placeInLine: 1, waitingCount: 1 } }],
] as const)('%s finds no talk, and requests none [TURN-18]', async (_who, visit) => {
  openTable(visit as Parameters<typeof openTable>[0])
  await screen.findByText(/^Ben Ode is writing/)
  expect(screen.queryByRole('button', { name: /^Talk/ })).toBeNull()
  expect(server.calls(listAsides)).toEqual([])
  expect(server.calls(takeSeat)).toEqual([])
})

const ended = (more = {}) =>
  anEndedRoom({ turns: 'round', turnSeconds: 120, passageMax: 500, isMember: true, ...more })

test('after the end the talk is read, says when it will be deleted, and nobody says more [TURN-18]', async () => {
  server.on(listAsides, [anAside(1)])
  openTable({ room: ended() })
  await open()
  const sheet = await screen.findByRole('dialog', { name: 'Talk' })
  expect(sheet.textContent).toMatch(/It will be deleted on Jun 11, 2025/)
  expect(texts()).toEqual(['Aside 1'])
  expect(screen.queryByLabelText('Say something beside the story')).toBeNull()
})

test('a finished story without a talk, and one whose talk is deleted, show none [TURN-18]', async () => {
  openTable({ room: ended() })
  await screen.findByText('Nobody wrote in this Z!mmer.')
  await vi.waitFor(() => expect(server.calls(listAsides)).toHaveLength(1))
  expect(screen.queryByRole('button', { name: /^Talk/ })).toBeNull()
})

test('a day after the end the page requests no talk any more [TURN-18]', async () => {
  openTable({ room: ended({ expiresAt: new Date(now.getTime() - 86_400_000).toISOString() }) })
  await screen.findByText('Nobody wrote in this Z!mmer.')
  expect(server.calls(listAsides)).toEqual([])
})

test('what a person was saying when the room ended stays until they discard it [TURN-18 R22]', async () => {
  const room = ended()
  await keepDraft([ana.id, `aside/${room.id}`, 'closed'], { text: 'Well do', base: null })
  openTable({ room })
  const input = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Your last line' })
  expect([input.value, input.readOnly]).toEqual(['Well do', true])
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
})

const withOwn = [anAside(2), anAside(1, { userId: ana.id, authorName: null })]

test.each([
  ['in the sheet of a phone', {}],
  ['in the rail of a wide window', { isWide: true }],
  ['after the end', { room: ended() }],
])(
  'a person reports what somebody else has said %s, and goes on in the talk; own lines have no flag [TABLE-01]',
  async (_where, { isWide = false, ...visit }: { isWide?: boolean; room?: ReturnType<typeof ended> }) => {
    if (isWide) widen()
    server.on(listAsides, withOwn)
    openTable(visit)
    await open()
    await waitFor(() => expect(texts()).toEqual(['Aside 1', 'Aside 2']))
    const [flag, ...others] = reportButtons()
    expect(others).toEqual([])
    expect(said()[1]!.contains(flag!)).toBe(true)
    expect(said().map((item) => item.getAttribute('tabindex'))).toEqual([null, '-1'])
    flag!.focus()
    fireEvent.click(flag!)
    expect(await sendReport(server)).toEqual({ kind: 'aside', targetId: idOf(2) })
    await waitFor(() => expect(document.activeElement).toBe(flag))
    expect(texts()).toEqual(['Aside 1', 'Aside 2'])
  },
)

test('an aside that an admin erases leaves the open talk, and the list has the focus that its flag had [TABLE-01]', async () => {
  widen()
  server.on(listAsides, withOwn)
  const { emit, room } = openTable()
  await open()
  await waitFor(() => expect(reportButtons()).toHaveLength(1))
  reportButtons()[0]!.focus()
  server.on(listAsides, [withOwn[1]!])
  act(() => emit('room.aside', { roomId: room.id }))
  await waitFor(() => expect(texts()).toEqual(['Aside 1']))
  expect(document.activeElement).toBe(screen.getByRole('log', { name: 'What was said' }))
})
