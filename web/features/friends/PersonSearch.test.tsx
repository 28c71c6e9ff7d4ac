import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { addFriend, listFriends, searchPeople } from '#contract/friends/endpoints.ts'
import type { Friend } from '#contract/friends/friend.ts'
import { listInvitations } from '#contract/invitations/endpoints.ts'
import { pass } from '#web/lib/testing.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { ana } from '#web/testing/people.ts'
import { AddFriendDialog } from './AddFriendDialog.tsx'
import { ben, cleo, listed } from './testing.tsx'

const server = startTestPage()
beforeEach(() => {
  vi.useFakeTimers()
  server.on(listFriends, [])
  server.on(listInvitations, [])
})

const type = (value: string) =>
  fireEvent.change(screen.getByLabelText('Name, username or email address'), { target: { value } })
const searched = () => server.calls(searchPeople).map(({ query }) => query.q)
const addBen = () => screen.queryByRole('button', { name: /^Add Friend.*Ben Ode/ })

async function openDialog() {
  const onOpen = vi.fn<(friend: Friend) => void>()
  const onClose = vi.fn<() => void>()
  show(<AddFriendDialog onClose={onClose} onOpen={onOpen} />, { user: ana })
  await pass(0)
  return { onOpen, onClose }
}
async function search(text: string) {
  type(text)
  await pass(300)
  await pass(0)
}

test('a person opens the dialog and can type at once; Escape closes it [MSG-02]', async () => {
  const { onClose } = await openDialog()
  expect(screen.getByRole('dialog', { name: 'Add Friend' })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Name, username or email address'))
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  expect(onClose).toHaveBeenCalledOnce()
})

test('a search waits until the person stops typing; the person sees that it runs, and then who was found [MSG-02]', async () => {
  server.on(searchPeople, [ben, cleo])
  await openDialog()
  type('be')
  await pass(200)
  type(' ben ')
  await pass(299)
  expect(searched()).toEqual([])
  expect(screen.getByText('Searching')).toBeTruthy()
  await pass(1)
  await pass(0)
  expect(searched()).toEqual(['ben'])
  expect(screen.queryByText('Searching')).toBeNull()
  expect(screen.getByText('2 people found')).toBeTruthy()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'BOBen OdebenAdd FriendBen Ode',
    'Ccleo@example.orgcleoAdd Friendcleo@example.org',
  ])
})

test('a person who types nothing, or one letter, starts no search [MSG-10]', async () => {
  await openDialog()
  await search('   ')
  expect(screen.queryByText('Searching')).toBeNull()
  expect(screen.queryByText('Please type at least 2 characters.')).toBeNull()
  await search('b')
  expect(screen.getByText('Please type at least 2 characters.')).toBeTruthy()
  expect(server.calls(searchPeople)).toEqual([])
})

test('a person reads that nobody was found [MSG-02]', async () => {
  server.on(searchPeople, [])
  await openDialog()
  await search('nobody')
  expect(screen.getByText('Nobody was found. An email address has to be typed in full.')).toBeTruthy()
})

test('a person adds somebody as a friend: the id is sent once, and the mark of a friend has the focus [MSG-11]', async () => {
  server.on(searchPeople, [ben])
  const added = Promise.withResolvers<Friend>()
  server.on(addFriend, () => added.promise)
  const { onClose } = await openDialog()
  await search('ben')
  fireEvent.click(addBen()!)
  await pass(0)
  fireEvent.click(addBen()!)
  await pass(0)
  expect(server.inputs(addFriend)).toEqual([{ friendUserId: ben.id }])
  added.resolve(ben)
  await pass(0)
  expect(addBen()).toBeNull()
  expect(document.activeElement!.textContent).toBe('Friend: Ben Ode')
  expect(onClose).not.toHaveBeenCalled()
})

test('a person who is a friend already is marked and cannot be added again [MSG-02]', async () => {
  server.on(searchPeople, [ben])
  server.on(listFriends, [listed(ben)])
  await openDialog()
  await search('ben')
  expect(screen.getByText('Friend').textContent).toBe('Friend: Ben Ode')
  expect(addBen()).toBeNull()
})

test.each([
  ['has too many friends', 'TooManyFriends', 'One of you already has 1,000 friends.'],
  ['cannot be added', 'CannotBeFriend', 'This person cannot be added as a friend.'],
] as const)(
  'a person reads why somebody who %s was not added, and can try again [MSG-12]',
  async (_who, code, text) => {
    server.on(searchPeople, [ben])
    server.refuse(addFriend, code)
    await openDialog()
    await search('ben')
    fireEvent.click(addBen()!)
    await pass(0)
    expect(screen.getByText(text).getAttribute('role')).toBe('alert')
    expect(addBen()).not.toBeNull()
    server.on(addFriend, ben)
    fireEvent.click(addBen()!)
    await pass(0)
    expect(addBen()).toBeNull()
    expect(screen.queryByText(text)).toBeNull()
  },
)

test('a person whose search fails reads so and can try again [MSG-02]', async () => {
  server.disconnect(searchPeople)
  await openDialog()
  await search('ben')
  expect(screen.getByText('The search failed. Check the connection and try again.')).toBeTruthy()
  server.refuse(searchPeople, 'TooManyRequests', { error: 'Please wait a minute.' })
  press('Try again')
  await pass(0)
  expect(screen.getByText('Please wait a minute.')).toBeTruthy()
  server.on(searchPeople, [ben])
  press('Try again')
  await pass(0)
  expect(button(/^Add Friend/)).toBeTruthy()
})

test('a person who finds somebody who is a friend already, or adds somebody, can write to them from the search', async () => {
  server.on(listFriends, [listed(cleo)])
  server.on(searchPeople, [ben, cleo])
  server.on(addFriend, ben)
  const { onOpen } = await openDialog()
  await search('be')
  expect(screen.queryByRole('button', { name: /^Message.*Ben Ode/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: /^Message.*cleo@example.org/ }))
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(cleo)
  fireEvent.click(addBen()!)
  await pass(0)
  fireEvent.click(screen.getByRole('button', { name: /^Message.*Ben Ode/ }))
  expect(onOpen).toHaveBeenLastCalledWith(ben)
})
