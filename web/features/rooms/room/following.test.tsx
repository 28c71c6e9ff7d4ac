import 'fake-indexeddb/auto'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ana, startFakes } from '#web/shell/testing.tsx'
import { aRoom } from '../testing.tsx'
import { aPassage, field, openRoom, passages, story, type } from './testing.tsx'

startFakes()
const scrolledTo = vi.fn()
beforeEach(() => {
  indexedDB.deleteDatabase('drafts')
  scrolledTo.mockReset()
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(scrolledTo)
})

const member = () => aRoom({ name: 'The mill', isMember: true })
const newPassages = () => screen.queryByRole('button', { name: 'New passages' })

/** As a browser lays it out: passages of 100 pixels, and the end so far below the window. */
function layOut({ endAt }: { endAt: number }) {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const items = [...document.querySelectorAll('[data-position]')]
    const top = this.matches('li') ? items.indexOf(this) * 100 : endAt
    return new DOMRect(0, top, 100, 0)
  })
}

test('who reads at the end is taken along, also when the keyboard of a phone comes; who reads further up is told [RVIEW-18]', async () => {
  const room = member()
  const { tell } = openRoom({ room, passages: passages(room.id, 1) })
  await waitFor(() => expect(story()).toHaveLength(1))
  act(() => tell('ready', { rooms: [room.id] }))
  const [second, third] = passages(room.id, 2, 3)
  scrolledTo.mockReset()
  act(() => tell('room.message', second!))
  await waitFor(() => expect(story()).toHaveLength(2))
  expect(scrolledTo).toHaveBeenCalledOnce()
  fireEvent(window, new Event('resize'))
  expect(scrolledTo).toHaveBeenCalledTimes(2)
  expect(newPassages()).toBeNull()

  layOut({ endAt: 5000 })
  fireEvent.scroll(window)
  act(() => tell('room.message', third!))
  await waitFor(() => expect(story()).toHaveLength(3))
  fireEvent(window, new Event('resize'))
  expect(scrolledTo).toHaveBeenCalledTimes(2)
  fireEvent.click(newPassages()!)
  expect(scrolledTo).toHaveBeenCalledTimes(3)
})

test('who writes while reading further up is brought to their passage [RVIEW-16]', async () => {
  const room = member()
  const written = aPassage({ roomId: room.id, userId: ana.id, position: 2 })
  openRoom({
    room,
    passages: passages(room.id, 1),
    answers: { [`POST /api/zimmers/${room.id}/messages`]: () => ({ status: 201, body: written }) },
  })
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  layOut({ endAt: 5000 })
  fireEvent.scroll(window)
  scrolledTo.mockReset()
  await type('Mine')
  fireEvent.keyDown(input, { key: 'Enter' })
  await waitFor(() => expect(story()).toHaveLength(2))
  expect(scrolledTo).toHaveBeenCalled()
  expect(newPassages()).toBeNull()
})

test('what is written meanwhile is read out once; what was there before, or comes before it, is not [RVIEW-07 RVIEW-18]', async () => {
  const room = member()
  const answer = Promise.withResolvers<Response>()
  const { tell } = openRoom({
    room,
    passages: passages(room.id, 2),
    answers: { [`GET /api/zimmers/${room.id}/messages?before=2`]: () => ({ body: passages(room.id, 1) }) },
  })
  const input = await field()
  await waitFor(() => expect(input.readOnly).toBe(false))
  const log = screen.getByRole('log')
  const readOut: (string | null)[] = []
  new MutationObserver((changes) =>
    changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => readOut.push(node.textContent))),
  ).observe(log, { childList: true, subtree: true })
  fireEvent.click(screen.getByRole('button', { name: 'Earlier passages' }))
  await waitFor(() => expect(story()).toHaveLength(2))

  const answerOthers = globalThis.fetch
  globalThis.fetch = (path, init) =>
    init?.method === 'POST' && (path as string).endsWith('/messages')
      ? answer.promise
      : answerOthers(path, init)
  await type('Mine')
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(await screen.findByText('Sending…')).toBeTruthy()
  expect(readOut).toEqual([])
  const written = aPassage({ roomId: room.id, userId: ana.id, position: 3, content: 'Mine' })
  // The stream is faster than the answer.
  act(() => tell('ready', { rooms: [room.id] }))
  act(() => tell('room.message', written))
  await waitFor(() => expect(story()).toHaveLength(3))
  expect(screen.queryByText('Sending…')).toBeNull()
  await act(async () => answer.resolve(new Response(JSON.stringify(written), { status: 201 })))
  await waitFor(() => expect(readOut).toEqual([`User ${ana.id}Mine`]))
  act(() => tell('room.message', aPassage({ roomId: room.id, position: 4, content: 'Theirs' })))
  await waitFor(() => expect(readOut).toHaveLength(2))
  expect(readOut[1]).toContain('Theirs')
})

test('who asks for earlier passages stays where they are, and keeps the focus when there are no more [S30 RVIEW-07]', async () => {
  const room = member()
  openRoom({
    room,
    passages: passages(room.id, 3, 4),
    answers: { [`GET /api/zimmers/${room.id}/messages?before=3`]: () => ({ body: passages(room.id, 1, 2) }) },
  })
  const more = await screen.findByRole('button', { name: 'Earlier passages' })
  layOut({ endAt: 0 })
  const scrolledBy = vi.spyOn(window, 'scrollBy').mockImplementation(() => {})
  more.focus()
  fireEvent.click(more)
  await waitFor(() => expect(story()).toHaveLength(4))
  expect(scrolledBy.mock.calls).toEqual([[{ top: 200 }]])
  expect(screen.queryByRole('button', { name: 'Earlier passages' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'The story so far' }))
})
