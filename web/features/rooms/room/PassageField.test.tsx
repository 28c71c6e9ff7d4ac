import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { draftsOf } from '#web/lib/editor/drafts.ts'
import { ana } from '#web/testing/people.ts'
import { aRoom } from '../testing.tsx'
import { aPassage, field, readyField, startRoomPage, story, type } from './testing.tsx'

const { server, openRoom } = startRoomPage()

const member = () => aRoom({ name: 'The mill', description: 'By the river', isMember: true })

test('a person sends a passage by Enter: the field is empty, and the story shows the passage once [RVIEW-14 RVIEW-15 RVIEW-16 RVIEW-18 API-32]', async () => {
  const room = member()
  const written = aPassage({ roomId: room.id, userId: ana.id, content: 'It rains.\nStill.', position: 1 })
  server.on(sendPassage, written)
  const { emit } = openRoom({ room })
  const input = await readyField()
  await type('It rains.\nStill.')
  for (const more of [{ shiftKey: true }, { isComposing: true }]) {
    expect(fireEvent.keyDown(input, { key: 'Enter', ...more })).toBe(true)
    expect(input.value).toBe('It rains.\nStill.')
  }
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(input.value).toBe('')
  await waitFor(() => expect(story()).toEqual([['It rains.\nStill.', `User ${ana.id} (you)`]]))
  expect(server.inputs(sendPassage)).toEqual([{ content: 'It rains.\nStill.' }])
  act(() => emit('ready', { rooms: [room.id] }))
  act(() => emit('room.message', written))
  expect(story()).toHaveLength(1)
})

test('a person with a touch screen starts a new line by Enter, sends by the button, and keeps the focus in the field [RVIEW-09]', async () => {
  const room = member()
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: coarse)' }))
  const written = aPassage({ roomId: room.id, content: 'By thumb' })
  server.on(sendPassage, written)
  openRoom({ room })
  const input = await readyField()
  await type('By thumb')
  expect(fireEvent.keyDown(input, { key: 'Enter' })).toBe(true)
  expect(server.calls(sendPassage)).toEqual([])
  const button = screen.getByRole('button', { name: 'Send' })
  // The press is cancelled: it would take the focus from the field, and close the keyboard of the phone.
  expect(fireEvent.mouseDown(button)).toBe(false)
  button.focus()
  fireEvent.click(button)
  await waitFor(() => expect(story()).toHaveLength(1))
  expect(document.activeElement).toBe(input)
})

test('a person cannot send a blank passage [RVIEW-13]', async () => {
  openRoom({ room: member() })
  const input = await readyField()
  for (const text of ['', '   ', '\n\u200b\n']) {
    await type(text)
    fireEvent.keyDown(input, { key: 'Enter' })
  }
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  await act(async () => {})
  expect(screen.queryByText('Sending…')).toBeNull()
  expect(server.calls(sendPassage)).toEqual([])
})

test.each(['NotRoomMember', 'TooManyRequests', 'Unexpected'] as const)(
  'a person whose passage is refused with %s sees the alert, and the passage again in the field with the reason [ERR-19 ERR-20 GEN-21 R22]',
  async (code) => {
    // A refusal that names 403 is not retried.
    server.refuse(sendPassage, code, { error: 'A reason 403.' })
    openRoom({ room: member() })
    const input = await readyField()
    await type('Rain')
    fireEvent.keyDown(input, { key: 'Enter' })
    const alert = await screen.findByRole('alertdialog')
    expect(alert.textContent).toContain('You must be a member of this room to send messages.')
    fireEvent.click(within(alert).getByRole('button', { name: 'OK' }))
    await waitFor(() => expect(input.value).toBe('Rain'))
    expect(await screen.findByText(/A reason 403\./)).toBeTruthy()
    expect(story()).toEqual([])
  },
)

test('a person whose passage is refused because the story is full sees it in the field with the reason, and no alert [R22]', async () => {
  server.refuse(sendPassage, 'StoryFull', { error: 'It is long.' })
  openRoom({ room: member() })
  const input = await readyField()
  await type('One more')
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(await screen.findByText(/It is long\./)).toBeTruthy()
  expect(input.value).toBe('One more')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('a person without a connection keeps the passage in the field and sees no alert, and each retry has the same idempotency key [ERR-20 R22]', async () => {
  const room = member()
  server.disconnect(sendPassage)
  openRoom({ room })
  const input = await readyField()
  await type('By train')
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(await screen.findByText('Your passage could not be sent yet. It is still here.')).toBeTruthy()
  expect(input.value).toBe('By train')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(story()).toEqual([])
  server.on(sendPassage, aPassage({ roomId: room.id, userId: ana.id, content: 'By train' }))
  fireEvent.keyDown(input, { key: 'Enter' })
  await waitFor(() => expect(story()).toHaveLength(1))
  const keys = server.calls(sendPassage).map(({ idempotencyKey }) => idempotencyKey)
  expect(keys.length).toBeGreaterThan(1)
  expect(new Set(keys).size).toBe(1)
})

/** Sends a passage. The server answers each call when the test says so: it stores the passage, or refuses it. */
async function sendSlowly(passage: string) {
  const room = member()
  const answers: PromiseWithResolvers<'store' | 'refuse'>[] = []
  server.on(sendPassage, async ({ input, fail }) => {
    const position = answers.push(Promise.withResolvers())
    if ((await answers[position - 1]!.promise) === 'refuse') fail('NotRoomMember')
    return aPassage({ roomId: room.id, userId: ana.id, content: input.content, position })
  })
  const page = openRoom({ room })
  const input = await readyField()
  await type(passage)
  const enter = () => fireEvent.keyDown(input, { key: 'Enter' })
  const storeCall = (number: number) => act(async () => answers[number - 1]!.resolve('store'))
  const refuseCall = (number: number) => act(async () => answers[number - 1]!.resolve('refuse'))
  enter()
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  const drafts = async () => (await draftsOf(ana.id, `room/${room.id}`)).map(({ text }) => text)
  return { ...page, room, input, answers, enter, storeCall, refuseCall, drafts }
}

const texts = () => story().map(([text]) => text)

test('a person whose passage is refused finds it above the text that was typed meanwhile [R22]', async () => {
  const { input, refuseCall } = await sendSlowly('First')
  await type('Second')
  await refuseCall(1)
  await waitFor(() => expect(input.value).toBe('First\n\nSecond'))
})

test('a person finds a refused passage in the field, also after deleting the text that was typed meanwhile [R22]', async () => {
  const { input, refuseCall } = await sendSlowly('First')
  await type('Second')
  await type('')
  await refuseCall(1)
  await waitFor(() => expect(input.value).toBe('First'))
})

test('a person types while a passage is being sent: after the delivery that text is in the field, and is not sent [RVIEW-15 R22]', async () => {
  const { input, answers, storeCall } = await sendSlowly('First')
  await type('Second')
  await storeCall(1)
  await waitFor(() => expect(texts()).toEqual(['First']))
  await act(async () => {})
  expect(input.value).toBe('Second')
  expect(answers).toHaveLength(1)
})

test('a person types the text of the passage that is being sent once more, and sends it as a second passage [RVIEW-14 R22]', async () => {
  const { input, answers, enter, storeCall } = await sendSlowly('Rain')
  await type('Rain')
  expect(input.value).toBe('Rain')
  enter()
  await storeCall(1)
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  await storeCall(2)
  await waitFor(() => expect(texts()).toEqual(['Rain', 'Rain']))
  await act(async () => {})
  expect(input.value).toBe('')
  expect(answers).toHaveLength(2)
})

test('a person who sends passages faster than the server answers loses none: they are sent in order, and a refused one returns to the field [RVIEW-14 RVIEW-15 R22]', async () => {
  const { input, answers, enter, storeCall, refuseCall } = await sendSlowly('First')
  await type('Second')
  enter()
  await storeCall(1)
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  expect(input.value).toBe('')
  await type('Third')
  enter()
  await refuseCall(2)
  await waitFor(() => expect(input.value).toBe('Second\n\nThird'))
  expect(texts()).toEqual(['First'])
  expect(answers).toHaveLength(2)
})

test('a writer who reloads while a passage is being sent finds it above the text that was typed meanwhile [R22]', async () => {
  const { room, drafts } = await sendSlowly('First')
  await type('Second')
  await vi.waitFor(async () => expect(await drafts()).toEqual(['First\n\nSecond']))
  cleanup()
  openRoom({ room })
  const reloaded = await field()
  await waitFor(() => expect(reloaded.value).toBe('First\n\nSecond'))
})

test('after the delivery the draft holds only the text that was typed meanwhile [R22]', async () => {
  const { storeCall, drafts } = await sendSlowly('First')
  await type('Second')
  await storeCall(1)
  await vi.waitFor(async () => expect(await drafts()).toEqual(['Second']))
})

test('a person whose room ends while a passage is being sent finds it above the text that was typed meanwhile [R22]', async () => {
  const { stored, emit, room, drafts } = await sendSlowly('First')
  await type('Second')
  await vi.waitFor(async () => expect(await drafts()).toEqual(['First\n\nSecond']))
  stored.room = { ...room, isActive: false }
  act(() => emit('room.expired', { roomId: room.id }))
  const unsent = await screen.findByLabelText<HTMLTextAreaElement>('Your last passage')
  expect(unsent.value).toBe('First\n\nSecond')
})
