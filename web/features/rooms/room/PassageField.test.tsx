import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ana, startFakes } from '#web/shell/testing.tsx'
import { aRoom } from '../testing.tsx'
import { aPassage, field, openRoom, story, type } from './testing.tsx'

startFakes()
beforeEach(() => {
  indexedDB.deleteDatabase('drafts')
})

const member = () => aRoom({ name: 'The mill', description: 'By the river', isMember: true })

test('Enter sends, the field is empty, and the passage stands in the story once [RVIEW-14 RVIEW-15 RVIEW-16 RVIEW-18 API-32]', async () => {
  const room = member()
  const written = aPassage({ roomId: room.id, userId: ana.id, content: 'It rains.\nStill.', position: 1 })
  const { sent, tell, path } = openRoom({
    room,
    answers: { [`POST /api/zimmers/${room.id}/messages`]: () => ({ status: 201, body: written }) },
  })
  const input = await type('It rains.\nStill.')
  await waitFor(() => expect(input.readOnly).toBe(false))
  await type('It rains.\nStill.')
  for (const more of [{ shiftKey: true }, { isComposing: true }]) {
    expect(fireEvent.keyDown(input, { key: 'Enter', ...more })).toBe(true)
    expect(input.value).toBe('It rains.\nStill.')
  }
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(input.value).toBe('')
  await waitFor(() => expect(story()).toEqual([['It rains.\nStill.', `User ${ana.id}`]]))
  expect(sent.find((call) => call.method === 'POST' && call.path === `${path}/messages`)?.body).toEqual({
    content: 'It rains.\nStill.',
  })
  act(() => tell('ready', { rooms: [room.id] }))
  act(() => tell('room.message', written))
  expect(story()).toHaveLength(1)
})

test('where fingers type Enter breaks the line, and the button sends [RVIEW-09]', async () => {
  const room = member()
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: coarse)' }))
  const written = aPassage({ roomId: room.id, content: 'By thumb' })
  const { calls, path } = openRoom({
    room,
    answers: { [`POST /api/zimmers/${room.id}/messages`]: () => ({ status: 201, body: written }) },
  })
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  await type('By thumb')
  expect(fireEvent.keyDown(input, { key: 'Enter' })).toBe(true)
  expect(calls()).not.toContain(`POST ${path}/messages`)
  const button = screen.getByRole('button', { name: 'Send' })
  // Else the press itself would take the focus from the field, and with it the keyboard.
  expect(fireEvent.mouseDown(button)).toBe(false)
  button.focus()
  fireEvent.click(button)
  await waitFor(() => expect(story()).toHaveLength(1))
  expect(document.activeElement).toBe(input)
})

test('a blank passage is not sent [RVIEW-13]', async () => {
  const { calls, path } = openRoom({ room: member() })
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  for (const text of ['', '   ', '\n\u200b\n']) {
    await type(text)
    fireEvent.keyDown(input, { key: 'Enter' })
  }
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  await act(async () => {})
  expect(screen.queryByText('Sending…')).toBeNull()
  expect(calls()).not.toContain(`POST ${path}/messages`)
})

test.each([403, 429, 500])(
  'a passage refused with %d returns to the field with the reason and the alert [ERR-19 ERR-20 GEN-21 R22]',
  async (status) => {
    const room = member()
    openRoom({
      room,
      answers: {
        [`POST /api/zimmers/${room.id}/messages`]: () => ({
          status,
          body: { code: 'NotAllowed', error: 'A reason 403.' },
        }),
      },
    })
    const input = await field()
    await waitFor(() => expect(input.readOnly).toBe(false))
    await type('Never told')
    fireEvent.keyDown(input, { key: 'Enter' })
    const alert = await screen.findByRole('alertdialog')
    expect(alert.textContent).toContain('You must be a member of this room to send messages.')
    fireEvent.click(within(alert).getByRole('button', { name: 'OK' }))
    await waitFor(() => expect(input.value).toBe('Never told'))
    expect(await screen.findByText(/A reason 403\./)).toBeTruthy()
    expect(story()).toEqual([])
  },
)

test('a passage that a full story does not take returns to the field with the reason alone [R22]', async () => {
  const room = member()
  openRoom({
    room,
    answers: {
      [`POST /api/zimmers/${room.id}/messages`]: () => ({
        status: 403,
        body: { code: 'StoryFull', error: 'It is long.' },
      }),
    },
  })
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  await type('One more')
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(await screen.findByText(/It is long\./)).toBeTruthy()
  expect(input.value).toBe('One more')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('a passage that the network lost stays in the field without an alert, and is the same one when it is sent again [ERR-20 R22]', async () => {
  const room = member()
  let isUnavailable = true
  const written = aPassage({ roomId: room.id, userId: ana.id, content: 'By train' })
  const { sent } = openRoom({
    room,
    answers: {
      [`POST /api/zimmers/${room.id}/messages`]: () =>
        isUnavailable ? 'away' : { status: 201, body: written },
    },
  })
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  await type('By train')
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(await screen.findByText('Your passage could not be sent yet. It is still here.')).toBeTruthy()
  expect(input.value).toBe('By train')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(story()).toEqual([])
  isUnavailable = false
  fireEvent.keyDown(input, { key: 'Enter' })
  await waitFor(() => expect(story()).toHaveLength(1))
  const tries = sent.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))
  expect(tries.length).toBeGreaterThan(1)
  expect(new Set(tries.map(({ key }) => key)).size).toBe(1)
})

/** Sends a passage whose answers are given by the test, one for each passage that goes on its way. */
async function sendSlowly(passage: string) {
  const room = member()
  const answers: PromiseWithResolvers<Response>[] = []
  openRoom({ room })
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  await type(passage)
  const answerOthers = globalThis.fetch
  globalThis.fetch = (path, init) => {
    if (init?.method !== 'POST' || !(path as string).endsWith('/messages')) return answerOthers(path, init)
    return answers[answers.push(Promise.withResolvers()) - 1]!.promise
  }
  const enter = () => fireEvent.keyDown(input, { key: 'Enter' })
  const isSent = (content: string, position: number) =>
    act(async () => {
      const body = aPassage({ roomId: room.id, userId: ana.id, content, position })
      answers[position - 1]!.resolve(new Response(JSON.stringify(body), { status: 201 }))
    })
  const isRefused = (nth: number) =>
    act(async () => answers[nth - 1]!.resolve(new Response('{"error":"No 403."}', { status: 403 })))
  enter()
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  return { input, answers, enter, isSent, isRefused }
}

const texts = () => story().map(([text]) => text)

test('what was typed while a passage was on its way stands below it when it comes back [R22]', async () => {
  const { input, isRefused } = await sendSlowly('First')
  await type('Second')
  await isRefused(1)
  await waitFor(() => expect(input.value).toBe('First\n\nSecond'))
})

test('a passage that comes back is there, though what was typed meanwhile was taken back [R22]', async () => {
  const { input, isRefused } = await sendSlowly('First')
  await type('Second')
  await type('')
  await isRefused(1)
  await waitFor(() => expect(input.value).toBe('First'))
})

test('what is typed while a passage is on its way stays alone in the field once that is told [RVIEW-15 R22]', async () => {
  const { input, answers, isSent } = await sendSlowly('First')
  await type('Second')
  await isSent('First', 1)
  await waitFor(() => expect(texts()).toEqual(['First']))
  await act(async () => {})
  expect(input.value).toBe('Second')
  expect(answers).toHaveLength(1)
})

test('the words that are on their way can be typed again, as the beginning of a passage or as one [RVIEW-14 R22]', async () => {
  const { input, answers, enter, isSent } = await sendSlowly('Rain')
  await type('Rain')
  expect(input.value).toBe('Rain')
  enter()
  await isSent('Rain', 1)
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  await isSent('Rain', 2)
  await waitFor(() => expect(texts()).toEqual(['Rain', 'Rain']))
  await act(async () => {})
  expect(input.value).toBe('')
  expect(answers).toHaveLength(2)
})

test('who writes faster than the net sends passage after passage, in order, and loses none [RVIEW-14 RVIEW-15 R22]', async () => {
  const { input, answers, enter, isSent, isRefused } = await sendSlowly('First')
  await type('Second')
  enter()
  await isSent('First', 1)
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  expect(input.value).toBe('')
  await type('Third')
  enter()
  await isRefused(2)
  await waitFor(() => expect(input.value).toBe('Second\n\nThird'))
  expect(texts()).toEqual(['First'])
  expect(answers).toHaveLength(2)
})
