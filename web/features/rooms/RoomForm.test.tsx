import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { forgetDraftsOf, hasDrafts } from '#web/lib/editor/drafts.ts'
import { serve, type Sent } from '#web/features/feed/testing.tsx'
import { removeLocalCopies } from '#web/lib/local-copies.ts'
import { ana, show, startFakes } from '#web/shell/testing.tsx'
import { RoomForm } from './RoomForm.tsx'
import { aRoom, button, card, openRooms, press, readsOfToday } from './testing.tsx'

startFakes()
beforeEach(() => forgetDraftsOf(ana.id))

const path = 'POST /api/zimmers/create'
const friends = [
  { id: 'k7q2m4xp3e', username: 'ben', firstName: 'Ben', lastName: 'Ode' },
  { id: 'k7q2m4xp3f', username: 'cleo', firstName: null, lastName: null },
]
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const isOn = (name: string) => screen.getByRole('switch', { name }).getAttribute('aria-checked') === 'true'
const flipPublic = () => fireEvent.click(screen.getByRole('switch', { name: 'Public Room' }))
const untilOpen = () => waitFor(() => expect(field('Description').readOnly).toBe(false))

/** The form alone, opened by somebody who has these friends. */
async function openForm(answer: (sent: Sent) => { status?: number; body?: unknown } | 'away' = created) {
  const onClose = vi.fn<() => void>()
  const sent = serve({ [path]: answer })
  show(<RoomForm owner={ana.id} friends={friends} onClose={onClose} />, { user: ana })
  await untilOpen()
  return { onClose, sent, bodies: () => sent.map(({ body }) => body) }
}
const created = () => ({ status: 201, body: aRoom() })

function fill() {
  type('Room name', 'A house by the sea')
  type('Description', 'What the tide\nbrought in')
}

test('the form has its fields, choices and buttons, and begins with a public room of 30 minutes [RLIST-13 RLIST-40 RLIST-41 RLIST-42 RLIST-43 RLIST-44 RLIST-45 RLIST-47]', async () => {
  await openForm()
  expect(field('Room name').value).toBe('')
  expect(field('Description').placeholder).toBe('Describe your story theme...')
  expect(isOn('Public Room')).toBe(true)
  const durations = within(screen.getByLabelText('Duration')).getAllByRole<HTMLOptionElement>('option')
  expect(durations.map(({ value }) => value)).toEqual(['15', '30', '60', '120'])
  expect(durations.map(({ textContent }) => textContent)).toEqual([
    '15 minutes',
    '30 minutes',
    '60 minutes',
    '120 minutes',
  ])
  expect(field('Duration').value).toBe('30')
  expect(button('Create').type).toBe('submit')
  expect(button('Cancel')).toBeTruthy()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('a public room is sent with an empty list of friends [RLIST-51 API-30]', async () => {
  const { onClose, bodies } = await openForm()
  fill()
  fireEvent.change(field('Duration'), { target: { value: '120' } })
  press('Create')
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(bodies()).toEqual([
    {
      name: 'A house by the sea',
      description: 'What the tide\nbrought in',
      isPublic: true,
      duration: 120,
      invitedFriends: [],
    },
  ])
})

test('the chosen friends are invited to a private room, their ids as text [RLIST-03 RLIST-46 RLIST-52 API-30]', async () => {
  const { onClose, bodies } = await openForm()
  fill()
  flipPublic()
  expect(screen.getAllByRole('checkbox')).toHaveLength(2)
  fireEvent.click(screen.getByRole('checkbox', { name: 'cleo' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Ben Ode' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'cleo' }))
  press('Create')
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(bodies()).toMatchObject([{ isPublic: false, invitedFriends: ['k7q2m4xp3e'] }])
})

test('a room that becomes public forgets whom it invited [RLIST-49]', async () => {
  await openForm()
  flipPublic()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Ben Ode' }))
  flipPublic()
  expect(screen.queryByRole('checkbox')).toBeNull()
  flipPublic()
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ben Ode' }).checked).toBe(false)
})

test('who has no friends is led to where friends are found [RLIST-48]', async () => {
  serve({})
  show(<RoomForm owner={ana.id} friends={[]} onClose={() => {}} />, { user: ana })
  flipPublic()
  const hint = screen.getByText(/^Add friends/)
  expect(hint.textContent).toBe('Add friends in the Messages section to invite them to private Z!mmers')
  expect(within(hint).getByRole('link', { name: 'Messages' }).getAttribute('href')).toBe('/messages')
})

test.each([
  ['name', 'Room name', '', 'Please give the Z!mmer a name.'],
  ['name', 'Room name', ' \u200b', 'Please give the Z!mmer a name.'],
  ['name', 'Room name', 'x'.repeat(101), 'Please write at most 100 characters.'],
  ['description', 'Description', ' \n', 'Please describe the theme of the story.'],
  ['description', 'Description', 'x'.repeat(501), 'Please write at most 500 characters.'],
])('with a wrong %s nothing is sent: %s %j [RLIST-50]', async (_name, label, value, sentence) => {
  const { onClose, sent } = await openForm()
  fill()
  type(label, value)
  press('Create')
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(document.activeElement).toBe(field(label))
  expect(field(label).getAttribute('aria-invalid')).toBe('true')
  expect(sent).toEqual([])
  expect(onClose).not.toHaveBeenCalled()
})

test('after creating, the form is closed and empty, and the list is read anew [RLIST-53 RLIST-54 RLIST-55 PERM-07]', async () => {
  const { house, calls } = openRooms({
    user: ana,
    answers: {
      [path]: () => {
        house.rooms = [aRoom({ name: 'A house by the sea' })]
        return { status: 201, body: house.rooms[0] }
      },
    },
  })
  await screen.findByText('No Z!mmers created today')
  press('Create')
  await screen.findByRole('dialog', { name: 'Create a Z!mmer' })
  await untilOpen()
  fill()
  flipPublic()
  fireEvent.change(field('Duration'), { target: { value: '15' } })
  fireEvent.submit(field('Room name').form!)
  await card('A house by the sea')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls(readsOfToday)).toHaveLength(2)
  expect(await hasDrafts(ana.id)).toBe(false)
  press('Create')
  await untilOpen()
  expect(['Room name', 'Description', 'Duration'].map((label) => field(label).value)).toEqual(['', '', '30'])
  expect(isOn('Public Room')).toBe(true)
})

test('a refusal is told under its field, and nothing of the form is lost, not even by a reload [R22 RLIST-53 RLIST-54]', async () => {
  const { onClose, sent } = await openForm(() => ({
    status: 400,
    body: {
      code: 'InvalidInput',
      error: 'Something is wrong.',
      fields: { name: 'This name is taken.' },
    },
  }))
  fill()
  flipPublic()
  press('Create')
  expect(await screen.findByText('This name is taken.')).toBeTruthy()
  expect(screen.queryByText('Something is wrong.')).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
  expect(sent).toHaveLength(1)
  cleanup()
  await openForm()
  expect(field('Room name').value).toBe('A house by the sea')
  await waitFor(() => expect(field('Description').value).toBe('What the tide\nbrought in'))
  expect(isOn('Public Room')).toBe(false)
  await removeLocalCopies(ana.id)
  cleanup()
  await openForm()
  expect([field('Room name').value, field('Description').value]).toEqual(['', ''])
})

test('a refusal of the whole room says why [R22]', async () => {
  const { onClose } = await openForm(() => ({
    status: 403,
    body: { code: 'TooManyRooms', error: 'You have 20 open Z!mmers.' },
  }))
  fill()
  press('Create')
  expect(await screen.findByText('You have 20 open Z!mmers.')).toBeTruthy()
  expect(field('Room name').value).toBe('A house by the sea')
  expect(onClose).not.toHaveBeenCalled()
})

test('Cancel closes the form and sends nothing [RLIST-47]', async () => {
  const { onClose, sent } = await openForm()
  fill()
  press('Cancel')
  expect(onClose).toHaveBeenCalledOnce()
  expect(sent).toEqual([])
})
