import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import { joinRoom, listRooms } from '#contract/rooms/endpoints.ts'
import { ana, noSettings } from '#web/testing/people.ts'
import { button, press } from '#web/testing/page.tsx'
import { aRoom, card, join, startRooms } from './testing.tsx'

const { server, openRooms } = startRooms()

test('a person who joins sends the signature, and the membership and the list are refreshed [RLIST-34 API-31]', async () => {
  const room = aRoom({ name: 'Open house' })
  const { stored } = openRooms({ rooms: [room], user: ana })
  server.on(joinRoom, () => {
    const joined = { ...room, isMember: true, memberCount: 5 }
    stored.rooms = [joined]
    return joined
  })
  const shown = await card('Open house')
  button('Join Open house').focus()
  await join('Open house')
  expect(await shown.findByText('5 members')).toBeTruthy()
  await waitFor(() =>
    expect(document.activeElement).toBe(shown.getByRole('link', { name: 'Enter Open house' })),
  )
  expect(shown.queryByRole('button')).toBeNull()
  expect(server.calls(listRooms)).toHaveLength(2)
  expect(server.calls(joinRoom)).toEqual([
    {
      params: { id: room.id },
      query: {},
      input: { signsWithName: false },
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ])
})

test.each(['PrivateRoom', 'RoomExpired', 'SignInRequired'] as const)(
  'a person whose joining is refused with %s sees an alert [ERR-18 ERR-20 GEN-21]',
  async (code) => {
    server.refuse(joinRoom, code, { error: 'No.' })
    openRooms({ rooms: [aRoom({ name: 'Open house' })], user: ana })
    await card('Open house')
    await join('Open house')
    const alert = await screen.findByRole('alertdialog')
    expect(alert.textContent).toContain('This is a private room. You cannot join without an invitation.')
    expect(alert.textContent).not.toContain('No.')
    expect(server.calls(joinRoom)).toHaveLength(1)
  },
)

test('a person who joins without a connection sees a quiet line and no alert, and the failure is logged [ERR-20 SHELL-91]', async () => {
  server.disconnect(joinRoom)
  openRooms({ rooms: [aRoom({ name: 'Open house' })], user: ana })
  await card('Open house')
  await join('Open house')
  expect(await screen.findByText('You could not join.')).toBeTruthy()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(console.error).toHaveBeenCalledWith('Failed to join the room', expect.any(TypeError))
  expect(button('Join Open house').disabled).toBe(false)
})

test.each([
  ['the setting', false, null, false],
  ['the setting', true, null, true],
  ['another choice', false, /Ana/, true],
  ['another choice', true, /^User/, false],
] as const)(
  'a person who joins signs by %s: setting %j, choice %s [RVIEW-12]',
  async (_what, showName, choice, signsWithName) => {
    const room = aRoom({ name: 'Open house' })
    server.on(getSettings, { ...noSettings, showName })
    server.on(joinRoom, { ...room, isMember: true })
    openRooms({ rooms: [room], user: ana })
    await card('Open house')
    press('Join Open house')
    const dialog = within(await screen.findByRole('dialog', { name: 'Join this Z!mmer' }))
    const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Join' })
    // The page preselects a signature once it knows the setting.
    await waitFor(() => expect(confirm.disabled).toBe(false))
    if (choice !== null) fireEvent.click(dialog.getByRole('radio', { name: choice }))
    fireEvent.click(confirm)
    await waitFor(() => expect(server.inputs(joinRoom)).toEqual([{ signsWithName }]))
  },
)

test('a person whose settings cannot be loaded joins without the name, unless they choose it [RVIEW-12]', async () => {
  const room = aRoom({ name: 'Open house' })
  server.refuse(getSettings, 'NotAllowed')
  server.on(joinRoom, { ...room, isMember: true })
  openRooms({ rooms: [room], user: ana })
  await card('Open house')
  await join('Open house')
  await waitFor(() => expect(server.inputs(joinRoom)).toEqual([{ signsWithName: false }]))
})
