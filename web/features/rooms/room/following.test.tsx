import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { ana } from '#web/testing/people.ts'
import { aRoom } from '../testing.tsx'
import { aPassage, passages, readyField, startRoomPage, story, type } from './testing.tsx'

const { server, openRoom } = startRoomPage()
const scrolledTo = vi.fn()
beforeEach(() => {
  scrolledTo.mockReset()
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(scrolledTo)
})

const member = () => aRoom({ name: 'The mill', isMember: true })
const newPassages = () => screen.queryByRole('button', { name: 'New passages' })

/** Fakes the layout: passages of 100 pixels, and the end of the story at `endAt`. */
function layOut({ endAt }: { endAt: number }) {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const items = [...document.querySelectorAll('[data-position]')]
    const top = this.matches('li') ? items.indexOf(this) * 100 : endAt
    return new DOMRect(0, top, 100, 0)
  })
}

test('a person at the end of the story sees each new passage, also when the keyboard of a phone opens, and a person further up sees a button instead [RVIEW-18]', async () => {
  const room = member()
  const { emit } = openRoom({ room, passages: passages(room.id, 1) })
  await waitFor(() => expect(story()).toHaveLength(1))
  act(() => emit('ready', { rooms: [room.id] }))
  const [second, third] = passages(room.id, 2, 3)
  scrolledTo.mockReset()
  act(() => emit('room.message', second!))
  await waitFor(() => expect(story()).toHaveLength(2))
  expect(scrolledTo).toHaveBeenCalledOnce()
  fireEvent(window, new Event('resize'))
  expect(scrolledTo).toHaveBeenCalledTimes(2)
  expect(newPassages()).toBeNull()

  layOut({ endAt: 5000 })
  fireEvent.scroll(window)
  act(() => emit('room.message', third!))
  await waitFor(() => expect(story()).toHaveLength(3))
  fireEvent(window, new Event('resize'))
  expect(scrolledTo).toHaveBeenCalledTimes(2)
  fireEvent.click(newPassages()!)
  expect(scrolledTo).toHaveBeenCalledTimes(3)
})

test('a person who reads further up sends a passage, and the page scrolls to it [RVIEW-16]', async () => {
  const room = member()
  const written = aPassage({ roomId: room.id, userId: ana.id, position: 2 })
  server.on(sendPassage, written)
  openRoom({ room, passages: passages(room.id, 1) })
  const input = await readyField()
  layOut({ endAt: 5000 })
  fireEvent.scroll(window)
  scrolledTo.mockReset()
  await type('Mine')
  fireEvent.keyDown(input, { key: 'Enter' })
  await waitFor(() => expect(story()).toHaveLength(2))
  expect(scrolledTo).toHaveBeenCalled()
  expect(newPassages()).toBeNull()
})

test('screen readers announce each new passage once, and no passage that was in the story before [RVIEW-07 RVIEW-18]', async () => {
  const room = member()
  const answer = Promise.withResolvers<RoomPassage>()
  server.on(sendPassage, () => answer.promise)
  server.on(listPassages, ({ query }) => passages(room.id, query.before === '2' ? 1 : 2))
  const { emit } = openRoom({ room })
  const input = await readyField()
  const log = screen.getByRole('log')
  const announced: (string | null)[] = []
  new MutationObserver((changes) =>
    changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => announced.push(node.textContent))),
  ).observe(log, { childList: true, subtree: true })
  fireEvent.click(screen.getByRole('button', { name: 'Earlier passages' }))
  await waitFor(() => expect(story()).toHaveLength(2))

  await type('Mine')
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(await screen.findByText('Sending…')).toBeTruthy()
  expect(announced).toEqual([])
  const written = aPassage({ roomId: room.id, userId: ana.id, position: 3, content: 'Mine' })
  // The event arrives before the answer.
  act(() => emit('ready', { rooms: [room.id] }))
  act(() => emit('room.message', written))
  await waitFor(() => expect(story()).toHaveLength(3))
  expect(screen.queryByText('Sending…')).toBeNull()
  await act(async () => answer.resolve(written))
  await waitFor(() => expect(announced).toEqual([`User ${ana.id} (you)Mine`]))
  act(() => emit('room.message', aPassage({ roomId: room.id, position: 4, content: 'Theirs' })))
  await waitFor(() => expect(announced).toHaveLength(2))
  expect(announced[1]).toContain('Theirs')
})

test('a person who loads earlier passages keeps the scroll position, and after the last of them the focus goes to the story [S30 RVIEW-07]', async () => {
  const room = member()
  server.on(listPassages, ({ query }) => passages(room.id, ...(query.before === '3' ? [1, 2] : [3, 4])))
  openRoom({ room })
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
