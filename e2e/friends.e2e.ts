import type { Page } from '@playwright/test'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { listRooms } from '#contract/rooms/endpoints.ts'
import { roomPath, roomsPath } from '#contract/rooms/paths.ts'
import { examine } from './examine.ts'
import { sign } from './people.ts'
import { expect, signIn, test } from './test.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Opens the people page and searches there. */
async function searchFor(page: Page, text: string) {
  await page.goto('/users')
  await page.getByLabel('Name, username or email address').fill(text)
}

test('a person unblocks somebody in the settings, finds them again by name and by email address, and adds them as a friend [PPL-04 SHELL-21 MSG-10 MSG-11 MSG-12 S39]', async ({
  page,
  app,
  open,
}) => {
  // Names that no other journey of this server uses.
  const ana = await app.signUp()
  const ben = await app.signUp({ firstName: 'Benedict', lastName: 'Odenwald' })
  await ana.client.does(blockPerson, { input: { userId: ben.user.id } })
  await signIn(page, ana)
  await searchFor(page, ben.email)
  await expect(page.getByText('Nobody was found. An email address has to be typed in full.')).toBeVisible()
  await page.goto('/settings')
  await examine(page, 'settings with a blocked person', page.getByRole('main'))
  await button(page, 'Unblock Benedict Odenwald').click()
  await expect(page.getByText('You have not blocked anybody.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Blocked people' })).toBeFocused()

  await searchFor(page, 'Benedict O')
  await expect(page.getByText('1 person found')).toBeAttached()
  await expect(page.getByText(ben.email)).toHaveCount(0)
  await examine(page, 'people that were found', page.getByRole('main'))
  await button(page, 'Add Friend Benedict Odenwald').press('Enter')
  await expect(page.getByText('Friend: Benedict Odenwald')).toBeFocused()

  const other = await open()
  await signIn(other, ben)
  await searchFor(other, ana.email)
  await expect(other.getByText('Friend: Ana Lima')).toBeVisible()
  await expect(button(other, /^Add Friend/)).toHaveCount(0)
})

test('a person invites one friend to a private room: the friend sees the room at once, enters and writes; a stranger cannot [RLIST-46 RLIST-52 RLIST-56 PERM-18 S41 S42]', async ({
  page,
  app,
  open,
}) => {
  const ana = await app.signUp()
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Ode' })
  const cleo = await app.signUp({ firstName: 'Cleo', lastName: 'Marsh' })
  await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
  const [friend, stranger] = [await open(), await open()]
  await signIn(friend, ben)
  const listening = friend.waitForResponse((answer) => answer.url().includes('/api/live'))
  const listed = friend.waitForResponse((answer) => new URL(answer.url()).pathname === listRooms.path)
  await friend.goto(roomsPath)
  await Promise.all([listening, listed])

  await signIn(page, ana)
  await page.goto(roomsPath)
  await button(page, 'Create').click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Room name').fill('A house by the sea')
  await form.getByPlaceholder('Describe your story theme...').fill('What the tide brought in')
  await form.getByRole('switch', { name: 'Public Room' }).click()
  await form.getByRole('checkbox', { name: 'Ben Ode' }).check()
  await expect(form.getByRole('checkbox')).toHaveCount(1)
  await examine(page, 'a new private room')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await page.waitForURL(/room=/)
  const id = new URL(page.url()).searchParams.get('room')!

  // The list would also be refreshed by itself, but only after half a minute.
  const card = friend.getByRole('article', { name: 'A house by the sea' })
  await expect(card).toBeVisible({ timeout: 10_000 })
  await friend.goto(roomPath(id))
  await friend.getByPlaceholder('Continue the story...').fill('First there was only the sea.')
  await friend.getByPlaceholder('Continue the story...').press('Enter')
  await sign(friend)
  await expect(page.getByText('First there was only the sea.')).toBeVisible()

  await signIn(stranger, cleo)
  await stranger.goto(roomPath(id))
  const refusal = 'This is a private room. You cannot join without an invitation.'
  await expect(stranger.getByText(refusal)).toBeVisible()
  await expect(stranger.getByText('First there was only the sea.')).toHaveCount(0)
})
