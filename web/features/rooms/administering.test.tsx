import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { admin, ana, startFakes } from '#web/shell/testing.tsx'
import { aRoom, card, openRooms, press } from './testing.tsx'

startFakes()

const membersOf = (id: string) => `GET /api/zimmers/${id}/members`
const someMembers = {
  members: [
    { id: 'k7q2m4xp3d', username: 'ana', email: 'ana@example.org' },
    { id: 'k7q2m4xp3e', username: null, email: 'ben@example.org' },
    { id: 'k7q2m4xp3f', username: null, email: null },
  ],
  messageCount: 17,
  contributorCount: 2,
}

test('an admin looks into the details of any room [RLIST-35 RLIST-37 RLIST-38 RLIST-39 PERM-16 API-33]', async () => {
  const room = aRoom({ name: 'Behind the door', isPublic: false, memberCount: 3 })
  const { calls } = openRooms({
    rooms: [room],
    user: admin,
    answers: { [membersOf(room.id)]: () => ({ body: someMembers }) },
  })
  const shown = await card('Behind the door')
  expect(calls(membersOf(room.id))).toEqual([])
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
  fireEvent.click(toggle)
  expect(shown.queryByText('Unique contributors')).toBeNull()
})

test('nobody but an admin sees details and deletion of a room [RLIST-35 RLIST-36 PERM-15 PERM-16]', async () => {
  openRooms({ rooms: [aRoom({ name: 'Mine', isMember: true, createdByUserId: ana.id })], user: ana })
  expect((await card('Mine')).queryByRole('button')).toBeNull()
})

const question = 'Are you sure you want to delete the Z!mmer "The night train"? This action cannot be undone.'

async function deletion(status: number) {
  const room = aRoom({ name: 'The night train' })
  const shown = openRooms({
    rooms: [room, aRoom({ name: 'Another' })],
    user: admin,
    answers: { [`DELETE /api/zimmers/${room.id}`]: () => ({ status, body: { ok: true } }) },
  })
  await card('The night train')
  press('Delete The night train')
  const asked = await screen.findByRole('alertdialog', { name: question })
  return { ...shown, answer: (name: string) => fireEvent.click(within(asked).getByRole('button', { name })) }
}
const untilAlert = (name: string) => screen.findByRole('alertdialog', { name })

test('an admin deletes a room after a question, and it is gone at once [RLIST-36 PERM-15 API-34 ERR-21 ERR-22]', async () => {
  const { answer, calls, sent } = await deletion(200)
  expect(calls('DELETE')).toEqual([])
  answer('Delete')
  await untilAlert('Z!mmer deleted successfully')
  press('OK')
  expect(screen.queryByText('The night train')).toBeNull()
  expect(screen.getByText('Another')).toBeTruthy()
  expect(sent.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
})

test('a room that an admin spares stays [ERR-21]', async () => {
  const { answer, calls } = await deletion(200)
  answer('Cancel')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(calls('DELETE')).toEqual([])
  expect(screen.getByText('The night train')).toBeTruthy()
})

test('a deletion that fails is told, and the room stays [ERR-23]', async () => {
  const { answer } = await deletion(403)
  answer('Delete')
  await untilAlert('Failed to delete Z!mmer')
  expect(screen.getByText('The night train')).toBeTruthy()
})
