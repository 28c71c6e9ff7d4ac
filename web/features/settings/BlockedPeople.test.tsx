import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { type BlockedPerson, listBlockedPeople, unblockPerson } from '#contract/friends/endpoints.ts'
import { listSessions } from '#contract/account/sessions/endpoints.ts'
import { listApiTokens } from '#contract/account/tokens/endpoints.ts'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import { getCurrentIssue } from '#contract/magazine/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { seeAll } from '#web/testing/fake-observer.ts'
import { press, show, startTestPage } from '#web/testing/page.tsx'
import { ana, guest, noSettings } from '#web/testing/people.ts'
import { BlockedPeople } from './BlockedPeople.tsx'
import { SettingsPage } from './SettingsPage.tsx'

const server = startTestPage()
beforeEach(() => {
  seeAll()
  server.on(listOwnPosts, [])
  server.on(listSessions, [])
  server.on(listApiTokens, [])
})

const blockedAt = '2025-06-10T08:00:00.000Z'
const ben: BlockedPerson = { id: 'k7q2m4xp3e', username: 'ben', firstName: 'Ben', lastName: 'Ode', blockedAt }
const dan: BlockedPerson = { id: 'k7q2m4xp3g', username: 'dan', firstName: 'Dan', lastName: null, blockedAt }
const heading = () => screen.getByRole('heading', { name: 'Blocked people' })
const items = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

test('a person sees whom they have blocked, and unblocks one of them in the settings [PPL-04]', async () => {
  server.on(listBlockedPeople, [ben, dan])
  server.on(getSettings, noSettings)
  server.on(getCurrentIssue, { url: null })
  server.on(unblockPerson, () => {
    server.on(listBlockedPeople, [dan])
    return done
  })
  show(<SettingsPage />, { user: ana })
  press(await findName(/^Unblock.*Ben Ode/))
  await waitFor(() => expect(screen.queryByText('Ben Ode', { selector: 'p' })).toBeNull())
  expect(server.calls(unblockPerson).map(({ params }) => params)).toEqual([{ userId: ben.id }])
  expect(screen.getByText('Dan', { selector: 'p' })).toBeTruthy()
  expect(screen.getByText('Ben Ode is no longer blocked.')).toBeTruthy()
  expect(document.activeElement).toBe(heading())
})

test('a person who has already unblocked somebody on another device sees that the block is gone [PPL-04]', async () => {
  server.on(listBlockedPeople, [ben])
  server.on(unblockPerson, ({ fail }) => {
    server.on(listBlockedPeople, [])
    return fail('NotBlocked')
  })
  show(<BlockedPeople />, { user: ana })
  press(await findName(/^Unblock/))
  expect(await screen.findByText('You have not blocked anybody.')).toBeTruthy()
  expect(screen.getByText('Ben Ode is no longer blocked.')).toBeTruthy()
})

test('a person who has blocked nobody reads so [PPL-04]', async () => {
  server.on(listBlockedPeople, [])
  show(<BlockedPeople />, { user: ana })
  expect(await screen.findByText('You have not blocked anybody.')).toBeTruthy()
})

test('a person whose unblocking fails reads so, and the block stays in the list [PPL-04]', async () => {
  server.on(listBlockedPeople, [ben])
  server.refuse(unblockPerson, 'NotAllowed')
  show(<BlockedPeople />, { user: ana })
  press(await findName(/^Unblock/))
  expect(await screen.findByText('Ben Ode could not be unblocked. Please try again.')).toBeTruthy()
  expect(items()[0]).toContain('Ben Ode')
})

test('a person whose blocked people cannot be loaded reads so, and can try again [PPL-04]', async () => {
  server.refuse(listBlockedPeople, 'NotAllowed')
  show(<BlockedPeople />, { user: ana })
  expect(await screen.findByText('The blocked people could not be loaded.')).toBeTruthy()
  server.on(listBlockedPeople, [ben])
  press('Try again')
  expect(await screen.findByText('Ben Ode', { selector: 'p' })).toBeTruthy()
})

test.each([
  ['a visitor', null],
  ['a guest', guest],
])('%s finds no part of blocked people in the settings', async (_who, user) => {
  server.on(getCurrentIssue, { url: null })
  show(<SettingsPage />, { user })
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  expect(screen.queryByRole('heading', { name: 'Blocked people' })).toBeNull()
  expect(server.calls(listBlockedPeople)).toEqual([])
})

const findName = async (name: RegExp) => {
  await screen.findByRole('button', { name })
  return name
}
