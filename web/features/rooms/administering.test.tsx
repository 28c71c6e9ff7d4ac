import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { deleteRoom, listRoomMembers } from '#contract/rooms/endpoints.ts'
import { admin, ana } from '#web/testing/people.ts'
import { press } from '#web/testing/page.tsx'
import { aRoom, card, startRooms } from './testing.tsx'

const { server, openRooms } = startRooms()

const someMembers = {
  members: [
    { id: 'k7q2m4xp3d', username: 'ana', email: 'ana@example.org' },
    { id: 'k7q2m4xp3e', username: null, email: 'ben@example.org' },
    { id: 'k7q2m4xp3f', username: null, email: null },
  ],
  messageCount: 17,
  contributorCount: 2,
}

test('an admin opens the details of any room [RLIST-35 RLIST-37 RLIST-38 RLIST-39 PERM-16 API-33]', async () => {
  const room = aRoom({ name: 'Behind the door', isPublic: false, memberCount: 3 })
  server.on(listRoomMembers, someMembers)
  openRooms({ rooms: [room], user: admin })
  const shown = await card('Behind the door')
  expect(server.calls(listRoomMembers)).toEqual([])
  const toggle = shown.getByRole('button', { name: 'Details of Behind the door' })
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(toggle)
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  await shown.findByText('Unique contributors')
  const facts = shown.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent])
  expect(facts).toEqual([
    ['Creator', 'User'],
    ['Privacy', 'Private'],
    ['Members', '3'],
    ['Unique contributors', '2'],
    ['Messages', '17'],
    ['Status', 'Active'],
  ])
  expect(shown.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'ana',
    'ben@example.org',
    'k7q2m4xp3f',
  ])
  expect(server.calls(listRoomMembers).map(({ params }) => params)).toEqual([{ id: room.id }])
  fireEvent.click(toggle)
  expect(shown.queryByText('Unique contributors')).toBeNull()
})

test('only an admin sees the buttons for details and deletion of a room [RLIST-35 RLIST-36 PERM-15 PERM-16]', async () => {
  openRooms({ rooms: [aRoom({ name: 'Mine', isMember: true, createdByUserId: ana.id })], user: ana })
  expect((await card('Mine')).queryByRole('button')).toBeNull()
})

const question = 'Are you sure you want to delete the Z!mmer "The night train"? This action cannot be undone.'

/** Presses Delete of a room, and returns a function that answers the question. */
async function pressDelete() {
  const room = aRoom({ name: 'The night train' })
  openRooms({ rooms: [room, aRoom({ name: 'Another' })], user: admin })
  await card('The night train')
  press('Delete The night train')
  const asked = await screen.findByRole('alertdialog', { name: question })
  return { room, answer: (name: string) => fireEvent.click(within(asked).getByRole('button', { name })) }
}
const untilAlert = (name: string) => screen.findByRole('alertdialog', { name })

test('an admin confirms the deletion of a room, and the list no longer shows it [RLIST-36 PERM-15 API-34 ERR-21 ERR-22]', async () => {
  server.on(deleteRoom, { ok: true })
  const { answer, room } = await pressDelete()
  expect(server.changes).toEqual([])
  answer('Delete')
  await untilAlert('Z!mmer deleted successfully')
  press('OK')
  expect(screen.queryByText('The night train')).toBeNull()
  expect(screen.getByText('Another')).toBeTruthy()
  expect(server.changes).toEqual([`DELETE /api/zimmers/${room.id}`])
})

test('an admin cancels the deletion of a room, and it stays [ERR-21]', async () => {
  const { answer } = await pressDelete()
  answer('Cancel')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.changes).toEqual([])
  expect(screen.getByText('The night train')).toBeTruthy()
})

test('an admin whose deletion fails sees an alert, and the room stays [ERR-23]', async () => {
  server.refuse(deleteRoom, 'NotAllowed')
  const { answer } = await pressDelete()
  answer('Delete')
  await untilAlert('Failed to delete Z!mmer')
  expect(screen.getByText('The night train')).toBeTruthy()
})
