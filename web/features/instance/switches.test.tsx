import 'fake-indexeddb/auto'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listSessions } from '#contract/account/sessions/endpoints.ts'
import { listApiTokens } from '#contract/account/tokens/endpoints.ts'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import { listFinishedRooms, listOpenRooms, listRooms, listSlowRooms } from '#contract/rooms/endpoints.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { listBlockedPeople } from '#contract/friends/endpoints.ts'
import type { InstanceSwitch } from '#contract/instance/switches.ts'
import { getCurrentIssue } from '#contract/magazine/endpoints.ts'
import { CreatorDetail } from '#web/features/details/CreatorDetail.tsx'
import { LoadedSections } from '#web/features/feed/sections/LoadedSections.tsx'
import { CreatePostDialog } from '#web/features/posts/CreatePostDialog.tsx'
import { allCreators } from '#web/features/creators/index.ts'
import { SettingsPage } from '#web/features/settings/SettingsPage.tsx'
import { Frame } from '#web/shell/Frame.tsx'
import { Rooms } from '#web/shell/Rooms.tsx'
import { show, startTestPage } from '#web/testing/page.tsx'
import { ana, noSettings } from '#web/testing/people.ts'

const server = startTestPage()
const settingsWithout = (...off: InstanceSwitch[]) => ({ instance: { pages: [], off } })
/** With everything on, and with one thing off. */
const both = (name: InstanceSwitch) =>
  [
    ['on', {}, true],
    ['off', settingsWithout(name), false],
  ] as const

test.each(both('competition'))(
  'with the competition %s the feed has its card: %# [INST-14]',
  async (_what, settings, isShown) => {
    show(<LoadedSections posts={[]} dayLabel="Today" />, { user: null, settings })
    await screen.findByRole('heading', { name: 'Browse by category' })
    expect(screen.queryAllByText(/Writing Competition/)).toHaveLength(isShown ? 1 : 0)
  },
)

test.each(both('samples'))(
  'with the sample creators %s the rows below the feed have them: %# [INST-14]',
  async (_what, settings, isShown) => {
    show(<LoadedSections posts={[]} dayLabel="Today" />, { user: null, settings })
    const text = 'People whose page you open appear here.'
    await screen.findByRole('heading', { name: 'Browse by category' })
    expect(screen.queryAllByText(text)).toHaveLength(isShown ? 0 : 1)
    expect(screen.queryAllByText(allCreators[0]!.name).length > 0).toBe(isShown)
  },
)

test.each(both('samples'))(
  'with the sample creators %s the menus lead to their page: %# [INST-14]',
  (_what, settings, isShown) => {
    show(<Frame>text</Frame>, { user: null, settings })
    const linksIn = (name: string) =>
      within(screen.getByRole('navigation', { name, hidden: true }))
        .getAllByRole('link', { hidden: true })
        .filter((link) => link.getAttribute('href') === '/zimmers')
    for (const name of ['Main', 'Often used']) expect(linksIn(name)).toHaveLength(isShown ? 1 : 0)
  },
)

test('without the sample creators the address of their page leads to the rooms [INST-14]', async () => {
  for (const list of [listRooms, listOpenRooms, listSlowRooms, listFinishedRooms]) server.on(list, [])
  show(<Rooms />, { at: '/zimmers', user: null, settings: settingsWithout('samples') })
  expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
  expect(screen.queryByText('Z!mmer Profiles')).toBeNull()
  expect(screen.queryByText('Sample profiles')).toBeNull()
})

test.each(both('tips'))('with tips %s a profile offers them: %# [INST-14]', (_what, settings, isShown) => {
  show(<CreatorDetail creator={allCreators[0]!} onClose={() => {}} />, { user: ana, settings })
  expect(screen.queryAllByRole('button', { name: /^Tip or message/ })).toHaveLength(isShown ? 1 : 0)
})

test.each(both('premium'))(
  'with premium publishing %s the settings and a new post offer it: %# [INST-14]',
  async (_what, settings, isShown) => {
    server.on(getSettings, noSettings)
    server.on(listBlockedPeople, [])
    server.on(getCurrentIssue, { url: null })
    server.on(listOwnPosts, [])
    server.on(listSessions, [])
    server.on(listApiTokens, [])
    const page = show(<SettingsPage />, { user: ana, settings })
    expect(screen.queryAllByText(/^Premium publishing/).length > 0).toBe(isShown)
    page.unmount()
    show(<CreatePostDialog onClose={() => {}} />, { user: ana, settings })
    await screen.findByLabelText('Author name')
    expect(screen.queryAllByRole('radio', { name: /^Premium/ })).toHaveLength(isShown ? 1 : 0)
  },
)
