import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { User } from '#contract/account/user.ts'
import type { Room } from '#contract/rooms/room.ts'
import { reportButtons, sendReport } from '#web/features/abuse-reports/testing.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { anEndedRoom, aRoom } from '../testing.tsx'
import { aPassage, startRoomPage } from './testing.tsx'

const { server, openRoom } = startRoomPage()

const passagesIn = (room: Room) => [
  aPassage({ roomId: room.id, position: 1, userId: ana.id, content: 'Mine' }),
  aPassage({ roomId: room.id, position: 2, content: 'Yours' }),
]

test('a reader of an open room reports a passage of somebody else, and not an own one [PPL-06]', async () => {
  const room = aRoom()
  const passages = passagesIn(room)
  openRoom({ room, passages })
  await screen.findByText('Yours')
  expect(reportButtons()).toHaveLength(1)
  fireEvent.click(reportButtons()[0]!)
  expect(await sendReport(server)).toEqual({ kind: 'passage', targetId: passages[1]!.id })
})

test('a finished story is a book page without buttons; a reader who shows the names can report a passage of somebody else [PPL-06]', async () => {
  const room = anEndedRoom()
  const passages = passagesIn(room)
  openRoom({ room, passages })
  await screen.findByText('Yours')
  expect(reportButtons()).toEqual([])
  fireEvent.click(screen.getByRole('switch', { name: 'Show who wrote what' }))
  expect(reportButtons()).toHaveLength(1)
  fireEvent.click(reportButtons()[0]!)
  expect(await sendReport(server)).toEqual({ kind: 'passage', targetId: passages[1]!.id })
})

test.each<[string, User | null]>([
  ['a visitor', null],
  ['a guest', guest],
])('%s in a room has no button to report a passage [PPL-06]', async (_who, user) => {
  const room = aRoom()
  openRoom({ room, passages: [aPassage({ roomId: room.id, content: 'Yours' })], user })
  await screen.findByText('Yours')
  expect(reportButtons()).toEqual([])
})

test('a tap on a passage of somebody else takes the focus, which shows its flag; the tints and names tell the authors apart', async () => {
  const room = aRoom()
  openRoom({ room, passages: passagesIn(room), user: ana })
  const [own, other] = [await screen.findByText('Mine'), await screen.findByText('Yours')].map((text) =>
    text.closest<HTMLElement>('.group')!,
  )
  expect(own!.tabIndex).toBe(-1)
  expect(own!.hasAttribute('tabindex')).toBe(false)
  other!.focus()
  expect(document.activeElement).toBe(other)
  expect(other!.contains(reportButtons()[0]!)).toBe(true)
  expect(own!.className).toContain('border-lamp')
  expect(other!.className).toMatch(/border-author-\d/)
  expect(other!.querySelector('p')!.className).toMatch(/text-author-\d/)
  expect(other!.querySelector('p')!.textContent).toMatch(/^User /)
})
