import type { Page } from '@playwright/test'
import { confirmAcceptance } from '#contract/invitations/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { examine } from './examine.ts'
import { makeRoom, sign } from './people.ts'
import { expect, shareSession, signIn, test } from './test.ts'

test.describe.configure({ mode: 'parallel' })

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const field = (page: Page) => page.getByPlaceholder('Write a message…')
const newest = (page: Page) => page.locator('[data-message]').last()
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Signs up by the four pages of the onboarding. */
async function signUp(page: Page, name: string, email: string) {
  await button(page, 'Next').click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await button(page, 'Next').click()
  await page.getByLabel('Passcode').fill('secret1')
  await button(page, 'Next').click()
  await page.getByRole('textbox').fill('I write at the kitchen table, at night.')
  await button(page, 'Finish').click()
}

test('a person without friends copies an invitation link; a stranger follows it on a phone, signs up, says yes, and both write to each other once the person has said yes too [PPL-07 MSG-25]', async ({
  page,
  app,
  open,
}) => {
  test.setTimeout(180_000)
  const ana = await app.signUp({ firstName: 'Ana', lastName: 'Lima' })
  await signIn(page, ana)
  await page.goto('/messages')
  await expect(page.getByText('No friends yet')).toBeVisible()
  await button(page, 'Make a link').click()
  await expect(page.getByText(/^Good until \w+day, \w+ \d+/)).toBeVisible()
  const link = await page.getByLabel('Your link').inputValue()
  expect(link).toMatch(/\/invitations#[\w-]{43}$/)

  const stranger = await open(phone)
  const asked: string[] = []
  stranger.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''))
  await stranger.goto(link)
  await expect(title(stranger, 'Ana Lima invites you')).toBeVisible()
  await examine(stranger, 'an invitation, seen by a stranger')
  await stranger.setViewportSize(phone.viewport)
  await button(stranger, 'Sign up or sign in').click()
  await expect(title(stranger, 'About us')).toBeVisible()
  await expect(stranger.getByText('Ana Lima invites you.')).toBeVisible()
  await signUp(stranger, 'Ben Ode', 'ben.invited@example.org')
  await expect(button(stranger, 'Add as friend')).toBeVisible({ timeout: 20_000 })
  await expect(title(stranger, 'Ana Lima invites you')).toBeVisible()
  await button(stranger, 'Add as friend').click()
  await expect(title(stranger, 'Ana Lima is asked now')).toBeFocused()

  // The question reaches Ana while her page is open.
  await expect(page.getByText('Ben Ode followed your invitation.')).toBeVisible()
  await examine(page, 'a question about somebody who followed an invitation', page.getByRole('main'))
  await button(page, 'Add as friend Ben Ode').click()
  await expect(title(stranger, 'You and Ana Lima are friends')).toBeVisible()
  await stranger.getByRole('link', { name: 'Write to Ana Lima' }).click()
  await page.getByRole('link', { name: 'Write to Ben Ode' }).click()
  await field(page).fill('Welcome, Ben.')
  await field(page).press('Enter')
  await expect(newest(stranger)).toContainText('Welcome, Ben.')
  await field(stranger).fill('Good to be here.')
  await button(stranger, 'Send').click()
  await expect(newest(page)).toContainText('Good to be here.')

  // No request of the stranger had the token in its address.
  const token = link.split('#')[1]!
  expect(asked.filter((text) => text.includes(token))).toEqual([])
})

test('a person who has an account follows a link into a private room on a phone, signs in below the name of the person who invites, and writes in the room once both have said yes; a link that is withdrawn is over [PPL-07 LOOP-24]', async ({
  page,
  app,
  open,
}) => {
  const ana = await app.signUp({ firstName: 'Ana', lastName: 'Lima' })
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Ode' })
  const room = await makeRoom(ana, { isPublic: false })
  await shareSession(page, ana)
  await page.goto(roomPath(room.id))
  await button(page, 'Invite by link').click()
  const dialog = page.getByRole('dialog', { name: 'The long night' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.getByLabel('Your link').inputValue()
  await examine(page, 'the dialog that invites into a room')

  const other = await open(phone)
  await other.goto(link)
  await button(other, 'Sign up or sign in').click()
  await expect(other.getByText('Ana Lima invites you.')).toBeVisible()
  await other.getByLabel('Email').fill(ben.email)
  await other.getByLabel('Passcode').fill(ben.password)
  await other.keyboard.press('Enter')
  await expect(button(other, 'Add as friend')).toBeVisible()
  await examine(other, 'an invitation, seen by a person', other.getByRole('main'))
  await other.setViewportSize(phone.viewport)
  await button(other, 'Add as friend').click()
  await expect(title(other, 'Ana Lima is asked now')).toBeFocused()
  await ana.client.does(confirmAcceptance, { input: { userId: ben.user.id } })
  await other.getByRole('link', { name: 'Go to the room' }).click()
  await other.getByPlaceholder('Continue the story...').fill('It began to snow.')
  await button(other, 'Send').click()
  await sign(other)
  await expect(page.getByText('It began to snow.')).toBeVisible()

  await dialog.getByRole('button', { name: /^Withdraw/ }).click()
  await expect(page.getByText('The link is withdrawn.')).toBeVisible()
  const stranger = await open(phone)
  await stranger.goto(link)
  await expect(title(stranger, 'This invitation is no longer open')).toBeVisible()
})
