import type { Page } from '@playwright/test'
import { createInvitation, listAcceptances } from '#contract/invitations/endpoints.ts'
import { createRoom } from '#contract/rooms/endpoints.ts'
import { examine } from './examine.ts'
import { sign } from './people.ts'
import { expect, signIn, test } from './test.ts'

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
  await signUp(stranger, 'Ben Ode', 'ben.invited@example.org')
  await expect(button(stranger, 'Add as friend')).toBeVisible({ timeout: 20_000 })
  await expect(title(stranger, 'Ana Lima invites you')).toBeVisible()
  await button(stranger, 'Add as friend').click()
  await expect(title(stranger, 'Ana Lima is asked now')).toBeFocused()

  // The question reaches Ana while her page is open.
  await expect(page.getByText('Ben Ode followed your invitation.')).toBeVisible()
  await examine(page, 'a question about somebody who followed an invitation')
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

test('a stranger follows a link into a private room, reads who invites above the sign-up, and writes in the room once both have said yes [LOOP-24]', async ({
  page,
  app,
  open,
}) => {
  test.setTimeout(180_000)
  const ana = await app.signUp({ firstName: 'Ana', lastName: 'Lima' })
  const room = await ana.client.does(createRoom, {
    input: {
      name: 'The long night',
      description: 'A story',
      isPublic: false,
      duration: 60,
      invitedFriends: [],
    },
  })
  await signIn(page, ana)
  await page.goto(`/zimmers?view=rooms&room=${room.id}`)
  await button(page, 'Invite by link').click()
  const dialog = page.getByRole('dialog', { name: 'The long night' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.getByLabel('Your link').inputValue()
  await examine(page, 'the dialog that invites into a room')
  await page.keyboard.press('Escape')

  const stranger = await open(phone)
  await stranger.goto(link)
  await button(stranger, 'Sign up or sign in').click()
  await expect(title(stranger, 'About us')).toBeVisible()
  await expect(stranger.getByText('Ana Lima invites you.')).toBeVisible()
  await signUp(stranger, 'Ben Ode', 'ben.room@example.org')
  await button(stranger, 'Add as friend').click({ timeout: 20_000 })
  await page.goto('/messages')
  await button(page, 'Add as friend Ben Ode').click()
  await stranger.getByRole('link', { name: 'Go to the room' }).click()
  await stranger.getByPlaceholder('Continue the story...').fill('It began to snow.')
  await button(stranger, 'Send').click()
  await sign(stranger)

  await page.getByRole('link', { name: 'Go to the room' }).click()
  await expect(page.getByText('It began to snow.')).toBeVisible()
})

test('a person who has an account follows a link, signs in, and is asked; "Not now" asks nobody [PPL-07]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp({ firstName: 'Ana', lastName: 'Lima' })
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Ode' })
  const { token } = await ana.client.does(createInvitation)
  await page.goto(`/invitations#${token}`)
  await button(page, 'Sign up or sign in').click()
  await page.getByLabel('Email').fill(ben.email)
  await page.getByLabel('Passcode').fill(ben.password)
  await page.keyboard.press('Enter')
  await expect(button(page, 'Add as friend')).toBeVisible()
  await examine(page, 'an invitation, seen by a person')
  await page.getByRole('link', { name: 'Not now' }).click()
  await expect(title(page, 'Messages')).toBeVisible()
  expect(await ana.client.does(listAcceptances)).toEqual([])
})

test('a person withdraws a link in the dialog that adds friends: whoever opens the link reads that it is over [PPL-07]', async ({
  page,
  app,
  open,
}) => {
  const ana = await app.signUp({ firstName: 'Ana', lastName: 'Lima' })
  await signIn(page, ana)
  await page.goto('/messages')
  await button(page, 'Add Friend').first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Friend' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.getByLabel('Your link').inputValue()
  await examine(page, 'the dialog that adds friends, with a link')
  const stranger = await open()
  await stranger.goto(link)
  await expect(title(stranger, 'Ana Lima invites you')).toBeVisible()
  await dialog.getByRole('button', { name: /^Withdraw/ }).click()
  await expect(page.getByText('The link is withdrawn.')).toBeVisible()
  await stranger.reload()
  await expect(title(stranger, 'This invitation is no longer open')).toBeVisible()
})
