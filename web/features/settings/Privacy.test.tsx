import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { listSessions } from '#contract/account/sessions/endpoints.ts'
import { listApiTokens } from '#contract/account/tokens/endpoints.ts'
import { changeSettings, getSettings, type PersonSettings } from '#contract/account/settings/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { listBlockedPeople } from '#contract/friends/endpoints.ts'
import { getCurrentIssue } from '#contract/magazine/endpoints.ts'
import { seeAll } from '#web/testing/fake-observer.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest, noSettings } from '#web/testing/people.ts'
import { SettingsPage } from './SettingsPage.tsx'

const server = startTestPage()
beforeEach(() => {
  seeAll()
  server.on(listBlockedPeople, [])
  server.on(getCurrentIssue, { url: null })
  server.on(listOwnPosts, [])
  server.on(listSessions, [])
  server.on(listApiTokens, [])
})

const names = ['Show my name in Z!mmers', "Show when I'm in a Z!mmer or writing"] as const
const find = (name: string) => screen.findByRole<HTMLButtonElement>('switch', { name })
const privacy = () => within(screen.getByRole('region', { name: 'Privacy' }))
const states = () =>
  privacy()
    .getAllByRole('switch')
    .map((each) => each.getAttribute('aria-checked') === 'true')
const untilShown = (...expected: boolean[]) => waitFor(() => expect(states()).toEqual(expected))
async function press(name: string) {
  fireEvent.click(await find(name))
}

function openSettings(user: User | null) {
  const stored = { ...noSettings }
  server.on(getSettings, stored)
  server.on(changeSettings, ({ input }) => Object.assign(stored, input as Partial<PersonSettings>))
  show(<SettingsPage />, { at: '/settings', user })
  return { stored, changes: () => server.inputs(changeSettings) }
}

test('a person chooses whether passages carry their name, and whether others see them in a room [RVIEW-12 RVIEW-18]', async () => {
  const { stored, changes } = openSettings(ana)
  await find(names[0])
  expect(states()).toEqual([false, true])
  await press(names[0])
  await untilShown(true, true)
  await press(names[1])
  await untilShown(true, false)
  await waitFor(() => expect(changes()).toEqual([{ showName: true }, { presence: false }]))
  expect(stored).toMatchObject({ showName: true, presence: false })
})

test('a person presses a switch quickly: each press is shown at once, the changes are sent in order, and the last one counts', async () => {
  const { stored, changes } = openSettings(ana)
  const first = Promise.withResolvers<void>()
  server.on(changeSettings, async ({ input }) => {
    if (changes().length === 1) await first.promise
    return Object.assign(stored, input as Partial<PersonSettings>)
  })
  for (const isOn of [false, true, false]) {
    await press(names[1])
    await untilShown(false, isOn)
  }
  expect(changes()).toHaveLength(1)
  first.resolve()
  await vi.waitFor(() =>
    expect(changes()).toEqual([{ presence: false }, { presence: true }, { presence: false }]),
  )
  expect(stored).toMatchObject({ showName: false, presence: false })
  expect(states()).toEqual([false, false])
})

test('a person whose change is refused reads so, and the switch goes back; the other switch keeps its change', async () => {
  const { stored } = openSettings(ana)
  const refused = Promise.withResolvers<void>()
  server.on(changeSettings, async ({ input, fail }) => {
    if (input.showName === undefined) return Object.assign(stored, input as Partial<PersonSettings>)
    await refused.promise
    return fail('NotAllowed')
  })
  await press(names[0])
  await press(names[1])
  await untilShown(true, false)
  refused.resolve()
  expect(await screen.findByText('This setting could not be saved, so it has not changed.')).toBeTruthy()
  await untilShown(false, false)
  await vi.waitFor(() => expect(stored).toMatchObject({ showName: false, presence: false }))
  expect(states()).toEqual([false, false])
})

test('a person whose settings cannot be loaded reads so, and can try again', async () => {
  server.refuse(getSettings, 'NotFound')
  show(<SettingsPage />, { at: '/settings', user: ana })
  const shown = within(await screen.findByRole('region', { name: 'Privacy' }))
  const again = await shown.findByRole('button', { name: 'Try again' })
  server.on(getSettings, { ...noSettings, showName: true, presence: false })
  fireEvent.click(again)
  await find(names[0])
  expect(states()).toEqual([true, false])
})

test.each([
  ['a visitor', null],
  ['a guest', guest],
] as const)(
  '%s sees no switches of privacy, and the page does not load such settings',
  async (_who, user) => {
    openSettings(user)
    await screen.findByRole('region', { name: 'Rating and feedback' })
    expect(screen.queryByRole('heading', { name: 'Privacy' })).toBeNull()
    expect(screen.queryByRole('switch', { name: /Z!mmer/ })).toBeNull()
    expect(server.calls(getSettings)).toEqual([])
  },
)
