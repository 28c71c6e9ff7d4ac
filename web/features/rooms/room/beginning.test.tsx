import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listPassages } from '#contract/rooms/endpoints.ts'
import { aTable, startTablePage } from '../table/testing.tsx'
import { anEndedRoom, aRoom } from '../testing.tsx'
import { aPassage, story } from './testing.tsx'

const { server, openTable: openRoom } = startTablePage()

const opening = 'It rained upwards for a week.'
const bar = () => screen.queryByRole<HTMLProgressElement>('progressbar')
const words = (count: number) => 'word '.repeat(count)

/** Whether one element stands before another in the document. */
const isBefore = (one: Element, other: Element) =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

test.each([
  ['of an open room', aRoom({ opening })],
  ['of a table', aTable({ opening })],
  ['of a finished story', anEndedRoom({ opening })],
])('a reader %s sees its opening before the first passage [BEGIN-01]', async (_which, room) => {
  openRoom({ room, passages: [aPassage()] })
  await waitFor(() => expect(story()).toHaveLength(1))
  expect(isBefore(screen.getByText(opening), document.querySelector('[data-position]')!)).toBe(true)
  expect(bar()).toBeNull()
})

test('a reader sees how many words of the goal are written, and then that the goal is reached [BEGIN-02]', async () => {
  const room = aRoom({ wordGoal: 1200 })
  const { emit } = openRoom({ room, passages: [aPassage({ content: words(812) })] })
  await screen.findByText('812 of 1,200 words')
  expect(screen.getByRole('progressbar', { name: '812 of 1,200 words' })).toBeTruthy()
  expect([bar()!.value, bar()!.max]).toEqual([812, 1200])
  const next = aPassage({ roomId: room.id, position: 2, content: words(388) })
  act(() => emit('room.message', next))
  await screen.findByText('Goal reached: 1,200 words')
  expect(bar()!.value).toBe(1200)
})

test('folded passages count with the words that the server names, and erased ones do not count [BEGIN-02]', async () => {
  openRoom({
    room: aTable({ isFolded: true, wordGoal: 100 }),
    passages: [
      aPassage({ content: '', folded: true, words: 30 }),
      aPassage({ position: 2, content: 'An admin has erased this passage.', isErased: true, words: 40 }),
      aPassage({ position: 3, content: words(7), words: 7 }),
    ],
  })
  expect(await screen.findByText('37 of 100 words')).toBeTruthy()
})

test('the words of earlier passages count, which are read until the goal is reached [BEGIN-02]', async () => {
  const page = (count: number) => [aPassage({ content: words(count) })]
  openRoom({ room: aRoom({ wordGoal: 100 }) })
  server.onPages(listPassages, [[aPassage({ position: 2, content: words(10) })], page(20), page(30), page(5)])
  expect(await screen.findByText('65 of 100 words')).toBeTruthy()
  expect(server.calls(listPassages)).toHaveLength(4)
})

test('no earlier passage is read for a goal that the newest ones reach [BEGIN-02]', async () => {
  openRoom({ room: aRoom({ wordGoal: 100 }) })
  server.onPages(listPassages, [[aPassage({ position: 2, content: words(100) })], [aPassage()]])
  expect(await screen.findByText('Goal reached: 100 words')).toBeTruthy()
  expect(server.calls(listPassages)).toHaveLength(1)
})

test('a reader reads the goal alone while the earlier passages cannot be read [BEGIN-02]', async () => {
  openRoom({ room: aRoom({ wordGoal: 100 }) })
  server.onPages(listPassages, [
    [aPassage({ position: 2, content: words(10) })],
    ({ fail }) => fail('RoomNotFound'),
  ])
  expect(await screen.findByText('Goal: 100 words')).toBeTruthy()
  expect(bar()).toBeNull()
})

test('a finished story says how much of its goal was written [BEGIN-02]', async () => {
  openRoom({ room: anEndedRoom({ wordGoal: 100 }), passages: [aPassage({ content: words(12) })] })
  const article = within(await screen.findByRole('article'))
  expect(await article.findByText('12 of 100 words')).toBeTruthy()
})
