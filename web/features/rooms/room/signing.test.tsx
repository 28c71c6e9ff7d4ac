import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import {
  changeRoomMembership,
  getRoomMembership,
  listPassages,
  type RoomMembership,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { ana, noSettings } from '#web/testing/people.ts'
import { aRoom } from '../testing.tsx'
import { aPassage, field, passages, startRoomPage, story, type } from './testing.tsx'

const { server, openRoom } = startRoomPage()

const member = () => aRoom({ name: 'The mill', isMember: true })
const other = 'h3m9w5zt8v'

test('a member sees their signature in the room, and changes it for all their passages [RVIEW-12]', async () => {
  const room = member()
  const own = aPassage({ roomId: room.id, userId: ana.id })
  const { stored } = openRoom({ room, passages: [own] })
  server.on(changeRoomMembership, ({ input }) => {
    stored.passages = [{ ...own, authorName: 'Ana Lima' }]
    return { isMember: true, hasChosenSignature: true, ...input }
  })
  await waitFor(() => expect(story().map(([, author]) => author)).toEqual([`User ${ana.id} (you)`]))
  expect(await screen.findByText(/^You sign as/)).toBeTruthy()
  expect(screen.getByText(/^You sign as/).textContent).toContain(`User ${ana.id}`)
  fireEvent.click(screen.getByRole('button', { name: 'Change how you sign' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Your signature' }))
  // The id of a person is made of letters and digits, so nobody knows it as a number.
  expect(dialog.getByRole('radio', { name: /^User/ }).closest('fieldset')!.textContent).not.toMatch(/number/)
  fireEvent.click(dialog.getByRole('radio', { name: /^Ana/ }))
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(story().map(([, author]) => author)).toEqual(['Ana Lima (you)']))
  expect(screen.getByText(/^You sign as/).textContent).toContain('You sign as Ana')
  expect(server.inputs(changeRoomMembership)).toEqual([{ signsWithName: true }])
})

/** A room whose passages are read in two pages: the newest is 2, and 1 comes before it. */
function openWithEarlier() {
  const room = member()
  const all = passages(room.id, 1, 2).map((passage, i) => ({ ...passage, userId: [other, ana.id][i]! }))
  const page = openRoom({ room, passages: all })
  const answerPage = (number: 1 | 2) => () => [page.stored.passages[2 - number]!]
  server.onPages(listPassages, [answerPage(1), answerPage(2)])
  const sign = (authorName: string) =>
    (page.stored.passages = page.stored.passages.map((passage) => ({ ...passage, authorName })))
  const shown = (...authors: string[]) =>
    waitFor(() => expect(story().map(([, author]) => author)).toEqual(authors))
  return { ...page, room, answerPage, sign, shown }
}

test('a person who has the room open sees the new names when members sign differently, and keeps the typed text and the scroll position [RVIEW-12 RVIEW-18]', async () => {
  const { room, emit, sign, shown } = openWithEarlier()
  await shown(`User ${ana.id} (you)`)
  act(() => emit('ready', { rooms: [room.id] }))
  fireEvent.click(screen.getByRole('button', { name: 'Earlier passages' }))
  await shown(`User ${other}`, `User ${ana.id} (you)`)
  const input = await type('Half a line')
  const [scrolledTo, scrolledBy] = [
    vi.spyOn(Element.prototype, 'scrollIntoView'),
    vi.spyOn(window, 'scrollBy'),
  ]
  const items = [...document.querySelectorAll('[data-position]')]
  sign('Kim Ember')
  // The person has also changed the own signature, on another device.
  server.on(getRoomMembership, { isMember: true, signsWithName: true, hasChosenSignature: true })
  act(() => emit('room.signed', { roomId: room.id }))
  await shown('Kim Ember', 'Kim Ember (you)')
  await waitFor(() => expect(screen.getByText(/^You sign as/).textContent).toContain('You sign as Ana'))
  expect([...document.querySelectorAll('[data-position]')]).toEqual(items)
  expect([input.isConnected, input.value]).toEqual([true, 'Half a line'])
  expect([...scrolledTo.mock.calls, ...scrolledBy.mock.calls]).toEqual([])
})

test('a member who signs differently on another device while the page reads the signature at first sees the new one [RVIEW-12]', async () => {
  const membership = { isMember: true, hasChosenSignature: true }
  const first = Promise.withResolvers<RoomMembership>()
  const isFirst = () => server.calls(getRoomMembership).length === 1
  server.on(getRoomMembership, () => (isFirst() ? first.promise : { ...membership, signsWithName: true }))
  const room = member()
  const { emit } = openRoom({ room })
  await field()
  act(() => emit('room.signed', { roomId: room.id }))
  await act(async () => first.resolve({ ...membership, signsWithName: false }))
  await waitFor(() => expect(screen.getByText(/^You sign as/).textContent).toContain('You sign as Ana'))
})

test('a member who signs differently while earlier passages are loading is named correctly on them too [RVIEW-12]', async () => {
  const { room, emit, sign, shown, answerPage } = openWithEarlier()
  await shown(`User ${ana.id} (you)`)
  act(() => emit('ready', { rooms: [room.id] }))
  await waitFor(() => expect(server.calls(listPassages)).toHaveLength(2))
  const loading = Promise.withResolvers<void>()
  const old = answerPage(2)()
  server.onPages(listPassages, [
    answerPage(1),
    async () => {
      await loading.promise
      return old
    },
  ])
  fireEvent.click(screen.getByRole('button', { name: 'Earlier passages' }))
  await waitFor(() => expect(server.calls(listPassages)).toHaveLength(3))
  sign('Kim Ember')
  act(() => emit('room.signed', { roomId: room.id }))
  await shown('Kim Ember (you)')
  server.onPages(listPassages, [answerPage(1), answerPage(2)])
  await act(async () => loading.resolve())
  await shown('Kim Ember', 'Kim Ember (you)')
})

test('a member whose signature cannot be loaded still has the field, and is not asked to join [RLIST-33 PERM-20]', async () => {
  server.disconnect(getRoomMembership)
  openRoom({ room: member() })
  expect(await field()).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Join/ })).toBeNull()
  expect(screen.queryByText(/You sign as/)).toBeNull()
})

/** Opens a room whose member has not yet said how to sign, and sends a first passage by Enter. */
async function writeFirst(showName: boolean) {
  const room = member()
  let membership = { isMember: true, signsWithName: showName, hasChosenSignature: false }
  server.on(getRoomMembership, () => membership)
  server.on(getSettings, { ...noSettings, showName })
  server.on(changeRoomMembership, ({ input }) => {
    membership = { ...membership, ...input, hasChosenSignature: true }
    return membership
  })
  let position = 0
  server.on(sendPassage, ({ input }) =>
    aPassage({ roomId: room.id, userId: ana.id, content: input.content, position: ++position }),
  )
  openRoom({ room })
  await screen.findByText(/^You sign as/)
  const input = await type('It rains.')
  fireEvent.keyDown(input, { key: 'Enter' })
  const dialog = within(await screen.findByRole('dialog', { name: 'Your signature' }))
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Send' })
  await waitFor(() => expect(confirm.disabled).toBe(false))
  return { input, dialog, confirm }
}

test.each([
  ['the setting', false, null, false],
  ['the setting', true, null, true],
  ['another choice', false, /^Ana/, true],
  ['another choice', true, /^User/, false],
] as const)(
  'a member is asked at the first passage how to sign, signs by %s (setting %j, choice %s), and is not asked again [LOOP-25]',
  async (_what, showName, choice, signsWithName) => {
    const { input, dialog, confirm } = await writeFirst(showName)
    expect([input.value, server.calls(sendPassage)]).toEqual(['It rains.', []])
    if (choice !== null) fireEvent.click(dialog.getByRole('radio', { name: choice }))
    fireEvent.click(confirm)
    await waitFor(() => expect(story().map(([text]) => text)).toEqual(['It rains.']))
    expect(server.inputs(changeRoomMembership)).toEqual([{ signsWithName }])
    expect(server.changes.slice(-2)).toEqual([
      expect.stringMatching(/^PATCH .*membership$/),
      expect.stringMatching(/^POST .*messages$/),
    ])
    await type('Still.')
    fireEvent.keyDown(input, { key: 'Enter' })
    await waitFor(() => expect(story()).toHaveLength(2))
    expect(screen.queryByRole('dialog')).toBeNull()
  },
)

test('a member who closes the question keeps the passage in the field, sends nothing, and is asked again [LOOP-25]', async () => {
  const { input } = await writeFirst(false)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(input.value).toBe('It rains.')
  expect(server.calls(sendPassage)).toEqual([])
  expect(server.calls(changeRoomMembership)).toEqual([])
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(await screen.findByRole('dialog', { name: 'Your signature' })).toBeTruthy()
})

test('a member whose answer cannot be stored keeps the passage in the field, and nothing is sent under another signature [LOOP-25]', async () => {
  const { input, confirm } = await writeFirst(false)
  server.refuse(changeRoomMembership, 'NotAllowed')
  fireEvent.click(confirm)
  expect(await screen.findByText(/Your signature could not be changed/)).toBeTruthy()
  expect(input.value).toBe('It rains.')
  expect(server.calls(sendPassage)).toEqual([])
})
