import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ana, startFakes } from '#web/shell/testing.tsx'
import { aRoom } from '../testing.tsx'
import { aPassage, field, openRoom, story, type } from './testing.tsx'

await import('#web/ui/AlertDialog.tsx')
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
  fireEvent.keyDown(input, { key: 'Enter', shiftKey: true })
  fireEvent.keyDown(input, { key: 'Enter', isComposing: true })
  expect(sent.some((call) => call.path === `${path}/messages` && call.method === 'POST')).toBe(false)
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
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(story()).toHaveLength(1))
})

test('a blank line is not sent [RVIEW-13]', async () => {
  const { calls, path } = openRoom({ room: member() })
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  for (const text of ['', '   ', '\n\u200b\n']) {
    await type(text)
    fireEvent.keyDown(input, { key: 'Enter' })
  }
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
  expect(calls()).not.toContain(`POST ${path}/messages`)
})

test.each([403, 429, 500])(
  'a line refused with %d returns to the field with the reason and the alert [ERR-19 ERR-20 GEN-21 R22]',
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

test('what was typed while a line was on its way stands below it when it comes back [R22]', async () => {
  const room = member()
  const answer = Promise.withResolvers<Response>()
  openRoom({ room })
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  await type('First')
  const answerOthers = globalThis.fetch
  globalThis.fetch = (path, init) =>
    init?.method === 'POST' && String(path).endsWith('/messages') ? answer.promise : answerOthers(path, init)
  fireEvent.keyDown(input, { key: 'Enter' })
  await type('Second')
  await act(async () => answer.resolve(new Response('{"error":"No 403."}', { status: 403 })))
  await waitFor(() => expect(input.value).toBe('First\n\nSecond'))
})
