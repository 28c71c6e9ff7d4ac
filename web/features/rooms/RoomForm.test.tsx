import 'fake-indexeddb/auto'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AppConfig } from '#contract/app/endpoints.ts'
import { listFriends } from '#contract/friends/endpoints.ts'
import { createRoom, getRoom, getRoomMembership, listPassages, listRooms } from '#contract/rooms/endpoints.ts'
import { ben, cleo, listed } from '#web/features/friends/testing.tsx'
import { forgetDraftsOf, hasDrafts } from '#web/lib/editor/drafts.ts'
import { removeLocalCopies } from '#web/lib/local-copies.ts'
import { personKey } from '#web/lib/storage.ts'
import { button, field, press, show, type } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import openings from './openings.json'
import { RoomForm } from './RoomForm.tsx'
import { aRoom, card, startRooms } from './testing.tsx'

const { server, openRooms } = startRooms()
beforeEach(async () => {
  await forgetDraftsOf(ana.id)
  server.on(createRoom, aRoom())
  server.on(listFriends, friends)
})

const friends = [listed(ben), listed(cleo)]
const isOn = (name: string) => screen.getByRole('switch', { name }).getAttribute('aria-checked') === 'true'
const flipPublic = () => fireEvent.click(screen.getByRole('switch', { name: 'Public Room' }))
const untilOpen = () => waitFor(() => expect(field('Description').readOnly).toBe(false))

/** Opens the form alone, for a person with these friends. */
async function openForm(friendId: string | null = null, settings: Partial<AppConfig> = {}) {
  const onClose = vi.fn<() => void>()
  const form = <RoomForm owner={ana.id} friendId={friendId} onClose={onClose} onCreated={() => {}} />
  show(form, { user: ana, settings })
  await untilOpen()
  await vi.waitFor(() => expect(server.calls(listFriends)).not.toEqual([]))
  return { onClose }
}

/** Answers the question how to sign as it is preselected. */
async function sign() {
  const question = within(await screen.findByRole('dialog', { name: 'Your signature' }))
  const confirm = question.getByRole<HTMLButtonElement>('button', { name: 'Create' })
  await waitFor(() => expect(confirm.disabled).toBe(false))
  fireEvent.click(confirm)
}

function fill() {
  type('Room name', 'A house by the sea')
  type('Description', 'What the tide\nbrought in')
}

test('a person who opens the form sees its fields and buttons, with a public room of 30 minutes chosen [RLIST-13 RLIST-40 RLIST-41 RLIST-42 RLIST-43 RLIST-44 RLIST-45 RLIST-47]', async () => {
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

test('a person creates a public room, and invites no friends [RLIST-51 API-30]', async () => {
  const { onClose } = await openForm()
  fill()
  fireEvent.change(field('Duration'), { target: { value: '120' } })
  press('Create')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(server.inputs(createRoom)).toEqual([
    {
      name: 'A house by the sea',
      description: 'What the tide\nbrought in',
      isPublic: true,
      duration: 120,
      invitedFriends: [],
    },
  ])
})

test('a person creates a private room, and invites the chosen friends by their ids [RLIST-03 RLIST-46 RLIST-52 API-30]', async () => {
  const { onClose } = await openForm()
  fill()
  flipPublic()
  await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(2))
  fireEvent.click(screen.getByRole('checkbox', { name: 'cleo@example.org' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Ben Ode' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'cleo@example.org' }))
  press('Create')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(server.inputs(createRoom)).toMatchObject([{ isPublic: false, invitedFriends: ['k7q2m4xp3e'] }])
})

test('a person who makes the room public loses the chosen friends [RLIST-49]', async () => {
  await openForm()
  flipPublic()
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Ben Ode' }))
  flipPublic()
  expect(screen.queryByRole('checkbox')).toBeNull()
  flipPublic()
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ben Ode' }).checked).toBe(false)
})

test('a person without friends reads where to add friends [RLIST-48]', async () => {
  server.on(listFriends, [])
  await openForm()
  flipPublic()
  const hint = await screen.findByText(/^Add friends/)
  expect(hint.textContent).toBe('Add friends in the Messages section to invite them to private Z!mmers')
  expect(within(hint).getByRole('link', { name: 'Messages' }).getAttribute('href')).toBe('/messages')
})

test('a person with more than eight friends finds one of them by a search, and Enter there sends nothing [RLIST-46]', async () => {
  const names = ['José', 'Josef', 'Ida', 'Kai', 'Lea', 'Mia', 'Nil', 'Oda', 'Pia']
  const many = names.map((firstName, i) => listed({ ...ben, id: `k7q2m4xp0${i}`, firstName, lastName: null }))
  server.on(listFriends, many.slice(1))
  await openForm()
  flipPublic()
  await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(8))
  expect(screen.queryByRole('searchbox')).toBeNull()
  cleanup()
  server.on(listFriends, many)
  await openForm()
  const shown = () =>
    screen.queryAllByRole<HTMLInputElement>('checkbox').map((box) => box.labels![0]!.textContent)
  type('Search your friends', 'JOSE')
  expect(shown()).toEqual(['José', 'Josef'])
  fireEvent.click(screen.getByRole('checkbox', { name: 'José' }))
  expect(screen.getByText('1 invited.')).toBeTruthy()
  expect(fireEvent.keyDown(field('Search your friends'), { key: 'Enter' })).toBe(false)
  type('Search your friends', 'x')
  expect(shown()).toEqual([])
  expect(screen.getByText('No friend has this name. 1 invited.')).toBeTruthy()
  fill()
  press('Create')
  await vi.waitFor(() => expect(server.inputs(createRoom)).toMatchObject([{ invitedFriends: [many[0]!.id] }]))
})

test('a person with more than 100 friends sees the first 100, and finds another by the search [RLIST-46]', async () => {
  const many = Array.from({ length: 101 }, (_, i) =>
    listed({ ...ben, id: `k7q2m4x${String(i).padStart(3, '0')}`, firstName: `Name ${100 + i}` }),
  )
  server.on(listFriends, many)
  await openForm()
  flipPublic()
  await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(100))
  expect(screen.getByText(/^The first 100 are shown. Search for the others./)).toBeTruthy()
  type('Search your friends', 'name 200')
  expect(screen.getAllByRole('checkbox')).toHaveLength(1)
  expect(screen.queryByText(/are shown/)).toBeNull()
})

test('a person whose friends cannot be loaded reads so, tries again, and then invites one of them [RLIST-46]', async () => {
  server.refuse(listFriends, 'NotAllowed')
  await openForm()
  flipPublic()
  expect(await screen.findByText('Your friends could not be loaded.')).toBeTruthy()
  server.on(listFriends, friends)
  press('Try again')
  expect(await screen.findByRole('checkbox', { name: 'Ben Ode' })).toBeTruthy()
})

test('a person who chose somebody who is a friend no longer reads so, and can create the room without them [RLIST-52 R22]', async () => {
  server.on(createRoom, ({ fail }) => {
    server.on(listFriends, [listed(cleo)])
    return fail('NotYourFriend')
  })
  const { onClose } = await openForm()
  fill()
  flipPublic()
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Ben Ode' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'cleo@example.org' }))
  press('Create')
  expect(await screen.findByText('Only your friends can be invited.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Ben Ode' })).toBeNull())
  server.on(createRoom, aRoom())
  await waitFor(() => expect(button('Create').getAttribute('aria-busy')).toBeNull())
  press('Create')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.inputs(createRoom).map(({ invitedFriends }) => invitedFriends)).toEqual([
    [ben.id, cleo.id],
    [cleo.id],
  ])
})

test('a person who invites more than 50 friends reads that this is too many [RLIST-50]', async () => {
  server.on(
    listFriends,
    Array.from({ length: 51 }, (_, i) => listed({ ...ben, id: `k7q2m4xp${String(i).padStart(2, '0')}` })),
  )
  await openForm()
  fill()
  flipPublic()
  await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(51))
  for (const box of screen.getAllByRole('checkbox')) fireEvent.click(box)
  press('Create')
  expect(await screen.findByText('Please invite at most 50 friends.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Invite friends' }))
  expect(server.changes).toEqual([])
})

test.each([
  ['name', 'Room name', '', 'Please give the Z!mmer a name.'],
  ['name', 'Room name', ' \u200b', 'Please give the Z!mmer a name.'],
  ['name', 'Room name', 'x'.repeat(101), 'Please write at most 100 characters.'],
  ['description', 'Description', ' \n', 'Please describe the theme of the story.'],
  ['description', 'Description', 'x'.repeat(501), 'Please write at most 500 characters.'],
])('a person cannot send a form with a wrong %s: %s %j [RLIST-50]', async (_name, label, value, sentence) => {
  const { onClose } = await openForm()
  fill()
  type(label, value)
  press('Create')
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(document.activeElement).toBe(field(label))
  expect(field(label).getAttribute('aria-invalid')).toBe('true')
  expect(server.changes).toEqual([])
  expect(onClose).not.toHaveBeenCalled()
})

test('a person who creates a room enters it; the form is closed and empty, and the list is refreshed [RLIST-53 RLIST-54 RLIST-55 PERM-07]', async () => {
  const room = aRoom({ name: 'A house by the sea' })
  const { stored } = openRooms({ user: ana })
  server.on(createRoom, () => {
    stored.rooms = [room]
    return room
  })
  server.on(getRoom, room)
  server.on(getRoomMembership, { isMember: true, signsWithName: false, hasChosenSignature: false })
  server.on(listPassages, [])
  await screen.findByText('No Z!mmers created today')
  press('Create')
  await screen.findByRole('dialog', { name: 'Create a Z!mmer' })
  await untilOpen()
  fill()
  flipPublic()
  fireEvent.change(field('Duration'), { target: { value: '15' } })
  // An input method or another shortcut uses these keys.
  for (const more of [{ isComposing: true }, { altKey: true }, { shiftKey: true }])
    expect(fireEvent.keyDown(field('Description'), { key: 'Enter', ctrlKey: true, ...more })).toBe(true)
  expect(server.changes).toEqual([])
  expect(fireEvent.keyDown(field('Description'), { key: 'Enter', ctrlKey: true })).toBe(false)
  await waitFor(() => expect(location.search).toBe(`?view=rooms&room=${room.id}`))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  history.back()
  await card('A house by the sea')
  // When the page opens, after the creation, and after going back.
  expect(server.calls(listRooms)).toHaveLength(3)
  expect(await hasDrafts(ana.id)).toBe(false)
  press('Create')
  await untilOpen()
  expect(['Room name', 'Description', 'Duration'].map((label) => field(label).value)).toEqual(['', '', '30'])
  expect(isOn('Public Room')).toBe(true)
})

test('a person sees a refusal under its field, and the form keeps its text, also after a reload [R22 RLIST-53 RLIST-54]', async () => {
  server.refuse(createRoom, 'InvalidInput', {
    error: 'Something is wrong.',
    fields: { name: 'This name is taken.' },
  })
  const { onClose } = await openForm()
  fill()
  flipPublic()
  press('Create')
  expect(await screen.findByText('This name is taken.')).toBeTruthy()
  expect(screen.queryByText('Something is wrong.')).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
  expect(server.changes).toHaveLength(1)
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

test('a person reads the reason of a refusal that belongs to no field [R22]', async () => {
  server.refuse(createRoom, 'TooManyRooms', { error: 'You have 20 open Z!mmers.' })
  const { onClose } = await openForm()
  fill()
  press('Create')
  expect(await screen.findByText('You have 20 open Z!mmers.')).toBeTruthy()
  expect(field('Room name').value).toBe('A house by the sea')
  expect(onClose).not.toHaveBeenCalled()
})

test('a person closes the form by Cancel, and nothing is sent [RLIST-47]', async () => {
  const { onClose } = await openForm()
  fill()
  press('Cancel')
  expect(onClose).toHaveBeenCalledOnce()
  expect(server.changes).toEqual([])
})

test('a person who opens a room together with a friend finds a private room with that friend invited [LOOP-24]', async () => {
  await openForm(ben.id)
  expect(isOn('Public Room')).toBe(false)
  const isInvited = async (name: string) =>
    (await screen.findByRole<HTMLInputElement>('checkbox', { name })).checked
  expect([await isInvited('Ben Ode'), await isInvited('cleo@example.org')]).toEqual([true, false])
})

test('where public Z!mmers are off a person makes a private one, and is offered nothing else [INST-02]', async () => {
  const access = { registrationQuestion: '', guests: true, submissions: true, publicRooms: false } as const
  await openForm(null, { access: { ...access, registration: 'open' } })
  expect(screen.queryByRole('switch', { name: 'Public Room' })).toBeNull()
  fill()
  press('Create')
  await waitFor(() => expect(server.inputs(createRoom)).toMatchObject([{ isPublic: false }]))
})

const optionsOf = (label: string) =>
  within(screen.getByLabelText(label))
    .getAllByRole<HTMLOptionElement>('option')
    .map(({ textContent }) => textContent)
const choose = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const hasField = (label: string) => screen.queryByLabelText(label) !== null

test('a person who opens the form finds a room in which everybody writes at any time, and no fields about turns [TURN-01]', async () => {
  await openForm()
  expect(field('Turns').value).toBe('free')
  expect(optionsOf('Turns')).toEqual(['Everybody at any time', 'Hand it on', 'In a round'])
  for (const label of ['Length of a turn', 'Length of a passage', 'Fold the story'])
    expect(hasField(label)).toBe(false)
})

test('a person creates a folded room with a round, and a passage has 180 letters unless they choose otherwise [TURN-01]', async () => {
  const { onClose } = await openForm()
  fill()
  choose('Turns', 'round')
  expect(optionsOf('Length of a turn')).toEqual([
    '1 minute',
    '2 minutes',
    '4 minutes',
    '12 hours',
    '24 hours',
    '72 hours',
  ])
  expect(optionsOf('Length of a passage')).toEqual(['180 letters', '500 letters', '2,000 letters'])
  expect([field('Length of a turn').value, field('Length of a passage').value]).toEqual(['120', '500'])
  fireEvent.click(screen.getByRole('switch', { name: 'Fold the story' }))
  expect(field('Length of a passage').value).toBe('180')
  choose('Length of a turn', '240')
  press('Create')
  await sign()
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(server.inputs(createRoom)).toMatchObject([
    { turns: 'round', isFolded: true, turnSeconds: 240, passageMax: 180 },
  ])
})

test('a person creates a slow table: with turns of hours the room lasts days, and with others minutes again [TURN-21]', async () => {
  const { onClose } = await openForm()
  fill()
  choose('Turns', 'round')
  choose('Duration', '60')
  choose('Length of a turn', '86400')
  expect(optionsOf('Duration')).toEqual(['3 days', '7 days', '14 days', '30 days'])
  expect(field('Duration').value).toBe('10080')
  choose('Duration', '43200')
  choose('Length of a turn', '43200')
  expect(field('Duration').value).toBe('43200')
  choose('Length of a turn', '60')
  expect(field('Duration').value).toBe('30')
  choose('Length of a turn', '259200')
  choose('Turns', 'free')
  expect(field('Duration').value).toBe('30')
  choose('Turns', 'baton')
  choose('Length of a turn', '259200')
  choose('Duration', '20160')
  press('Create')
  await sign()
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(server.inputs(createRoom)).toMatchObject([
    { turns: 'baton', turnSeconds: 259_200, duration: 20_160 },
  ])
})

test('a person who has chosen the length of a passage keeps it when they fold the story [TURN-01]', async () => {
  await openForm()
  choose('Turns', 'baton')
  choose('Length of a passage', '2000')
  fireEvent.click(screen.getByRole('switch', { name: 'Fold the story' }))
  expect(field('Length of a passage').value).toBe('2000')
})

test('a person who chose turns and goes back to none sends nothing about turns [TURN-01]', async () => {
  const { onClose } = await openForm()
  fill()
  choose('Turns', 'round')
  fireEvent.click(screen.getByRole('switch', { name: 'Fold the story' }))
  choose('Turns', 'free')
  expect(hasField('Fold the story')).toBe(false)
  press('Create')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  const [sent] = server.inputs(createRoom)
  expect(Object.keys(sent!).sort()).toEqual(['description', 'duration', 'invitedFriends', 'isPublic', 'name'])
})

test('a person whose browser kept a form from before there were turns finds it as it was [TURN-01]', async () => {
  const kept = { name: 'The mill', isPublic: true, duration: 60, invitedFriends: [] }
  localStorage.setItem(personKey('room-draft', ana.id), JSON.stringify(kept))
  await openForm()
  expect([field('Room name').value, field('Duration').value, field('Turns').value]).toEqual([
    'The mill',
    '60',
    'free',
  ])
})

test('a person draws an opening, and another each time until all 60 were drawn; the shown one begins the story [BEGIN-01]', async () => {
  const { onClose } = await openForm()
  fill()
  press('Draw an opening')
  const drawn = [field('Opening (optional)').value]
  while (drawn.length < openings.length) {
    press('Another')
    drawn.push(field('Opening (optional)').value)
  }
  expect(drawn.toSorted()).toEqual(openings.toSorted())
  press('Another')
  const last = field('Opening (optional)').value
  expect(openings).toContain(last)
  expect(last).not.toBe(drawn.at(-1))
  press('Create')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(server.inputs(createRoom)).toMatchObject([{ opening: last }])
})

test('a person types an own opening, and no drawn one replaces it [BEGIN-01]', async () => {
  const { onClose } = await openForm()
  fill()
  press('Draw an opening')
  type('Opening (optional)', 'Once there was a mill.')
  expect(screen.queryByRole('button', { name: /^(Another|Draw an opening)$/ })).toBeNull()
  press('Create')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(server.inputs(createRoom)).toMatchObject([{ opening: 'Once there was a mill.' }])
})

test('a person reads below the field of an opening that it is too long, and nothing is sent [BEGIN-01]', async () => {
  await openForm()
  fill()
  type('Opening (optional)', 'a'.repeat(301))
  press('Create')
  expect(await screen.findByText('Please write at most 300 characters.')).toBeTruthy()
  expect(document.activeElement).toBe(field('Opening (optional)'))
  expect(server.calls(createRoom)).toEqual([])
})

test.each([
  ['2,000', 2000],
  [' 100 ', 100],
  ['100 000', 100_000],
])('a person gives the room a goal of "%s" words [BEGIN-02]', async (typed, wordGoal) => {
  const { onClose } = await openForm()
  fill()
  type('Goal in words (optional)', typed)
  press('Create')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(server.inputs(createRoom)).toMatchObject([{ wordGoal }])
})

test.each(['99', '100,001', '2.5', 'many'])(
  'a person reads which goals there are after typing "%s", and nothing is sent [BEGIN-02]',
  async (typed) => {
    await openForm()
    fill()
    type('Goal in words (optional)', typed)
    press('Create')
    expect(await screen.findByText('Please choose from 100 to 100,000 words.')).toBeTruthy()
    expect(server.calls(createRoom)).toEqual([])
  },
)

test('the creator of a table says how to sign before it is made, and may go back to the form [TURN-02 LOOP-25]', async () => {
  const { onClose } = await openForm()
  fill()
  choose('Turns', 'round')
  press('Create')
  const question = await screen.findByRole('dialog', { name: 'Your signature' })
  fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  expect(field('Room name').value).toBe('A house by the sea')
  expect(server.calls(createRoom)).toEqual([])
  press('Create')
  fireEvent.click(await screen.findByRole('radio', { name: /^Ana/ }))
  press('Create')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(server.inputs(createRoom)).toMatchObject([{ turns: 'round', signsWithName: true }])
})
