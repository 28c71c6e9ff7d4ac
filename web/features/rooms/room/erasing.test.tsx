import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { erasePassage } from '#contract/erasing/endpoints.ts'
import { listPassages } from '#contract/rooms/endpoints.ts'
import { erasedMark, type Room } from '#contract/rooms/room.ts'
import { done } from '#contract/schemas.ts'
import { reportButtons } from '#web/features/abuse-reports/testing.tsx'
import { confirmErasure } from '#web/features/erasing/testing.tsx'
import { admin, ana } from '#web/testing/people.ts'
import { anEndedRoom, aRoom } from '../testing.tsx'
import { aPassage, startRoomPage } from './testing.tsx'

const { server, openRoom } = startRoomPage()

const erased = { content: erasedMark, isErased: true }
const eraseButtons = () => screen.queryAllByRole('button', { name: 'Erase this passage' })
const passagesIn = (room: Room) => [
  aPassage({ roomId: room.id, position: 1, content: 'It was late.' }),
  aPassage({ roomId: room.id, position: 2, content: 'Names a neighbour' }),
]

test.each([
  ['an open room', aRoom()],
  ['a finished story', anEndedRoom()],
])(
  'an admin erases a passage of %s, and the mark stands in its place, without buttons [INST-13]',
  async (_what, room) => {
    const passages = passagesIn(room)
    const { stored } = openRoom({ room, passages, user: admin })
    server.on(erasePassage, ({ params }) => {
      stored.passages = passages.map((passage) =>
        passage.id === params.passageId ? { ...passage, ...erased } : passage,
      )
      return done
    })
    await screen.findByText('Names a neighbour')
    const names = screen.queryByRole('switch', { name: 'Show who wrote what' })
    if (names) fireEvent.click(names)
    expect(eraseButtons()).toHaveLength(2)
    fireEvent.click(eraseButtons()[1]!)
    await confirmErasure('passage')
    expect(await screen.findByText(erasedMark)).toBeTruthy()
    expect(server.calls(erasePassage)).toMatchObject([
      { params: { id: room.id, passageId: passages[1]!.id } },
    ])
    expect(screen.queryByText('Names a neighbour')).toBeNull()
    expect([eraseButtons().length, reportButtons().length]).toEqual([1, 1])
  },
)

test.each([
  ['an open room', aRoom()],
  ['a finished story', anEndedRoom()],
])('a reader of %s who is no admin has no button to erase [INST-13]', async (_what, room) => {
  openRoom({ room, passages: passagesIn(room), user: ana })
  await screen.findByText('Names a neighbour')
  const names = screen.queryByRole('switch', { name: 'Show who wrote what' })
  if (names) fireEvent.click(names)
  expect(reportButtons()).toHaveLength(2)
  expect(eraseButtons()).toEqual([])
})

test('everybody in an open room sees the mark at once, before the passages are read again [INST-13]', async () => {
  const room = aRoom()
  const { emit } = openRoom({ room, passages: passagesIn(room), user: ana })
  await screen.findByText('Names a neighbour')
  const reads = server.calls(listPassages).length
  server.on(listPassages, () => new Promise(() => {}))
  emit('room.erased', { roomId: room.id, position: 2 })
  expect(await screen.findByText(erasedMark)).toBeTruthy()
  expect(screen.queryByText('Names a neighbour')).toBeNull()
  await waitFor(() => expect(server.calls(listPassages).length).toBeGreaterThan(reads))
})
