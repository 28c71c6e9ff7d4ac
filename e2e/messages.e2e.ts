import type { Page } from '@playwright/test'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { examine } from './examine.ts'
import { bottomBar } from './people.ts'
import { type App, asGuest, expect, holdRequests, type Person, signIn, test } from './test.ts'

test.describe.configure({ mode: 'parallel' })

const field = (page: Page) => page.getByPlaceholder('Write a message…')
const messages = (page: Page) => page.locator('[data-message]')
const newest = (page: Page) => messages(page).last()
const row = (page: Page, name: RegExp) =>
  page.getByRole('list', { name: 'Friends' }).getByRole('button', { name })
const conversation = (friend: Person) => `/messages?friend=${friend.user.id}`
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

async function write(page: Page, text: string) {
  await field(page).fill(text)
  await field(page).press('Enter')
  await expect(newest(page)).toContainText(text)
}

const say = (from: Person, to: Person, content: string) =>
  from.client.does(sendMessage, { input: { receiverId: to.user.id, messageType: 'text', content } })

async function twoFriends(app: App) {
  const ana = await app.signUp({ firstName: 'Ana', lastName: 'Lima' })
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
  await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
  return { ana, ben }
}

test('two people find each other, write, read, share a diary day, delete, block and unblock [MSG-01 MSG-02 MSG-11 MSG-12 MSG-13 MSG-14 MSG-20 MSG-22 MSG-23 MSG-24 MSG-27 PPL-04 PPL-08 PPL-09 S39]', async ({
  page,
  app,
  open,
  forgive,
}) => {
  // After the block the conversation that is still open is refetched.
  forgive(/Failed to load .*FriendNotFound/)
  const ana = await app.signUp({ firstName: 'Ana', lastName: 'Lima' })
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
  await ana.client.does(saveDiaryEntry, {
    input: { date: '2025-06-09', content: 'The rain began at four.\n\n  I counted umbrellas.' },
  })
  const other = await open()
  await signIn(page, ana)
  await signIn(other, ben)
  await other.goto('/dashboard')
  await expect(other.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()

  // Ana finds Ben.
  await page.goto('/messages')
  await expect(page.getByText('No friends yet')).toBeVisible()
  await page.getByRole('button', { name: 'Add Friend' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Friend' })
  await dialog.getByRole('textbox').fill(ben.user.username!)
  await dialog.getByRole('listitem').filter({ hasText: ben.user.username! }).getByRole('button').click()
  await expect(dialog.getByText('Friend: Ben Okafor')).toBeVisible()
  await page.keyboard.press('Escape')
  await row(page, /^Ben Okafor/).click()
  await expect(page).toHaveURL(new RegExp(`friend=${ben.user.id}$`))

  // Ana writes while Ben reads the feed.
  await write(page, 'Did you read the new story?')
  await write(page, 'All of it?')
  await expect(other).toHaveTitle('(2) Feed · Z!mmer')
  await other.getByRole('link', { name: /^Messages ?\(2 unread\)/ }).click()
  await expect(row(other, /^Ana Lima.*2 unread messages$/)).toBeVisible()
  await row(other, /^Ana Lima/).click()
  await expect(newest(other)).toContainText('All of it?')
  await expect(other).toHaveTitle('Messages · Z!mmer')
  await write(other, 'Twice.\nAloud.')
  await expect(newest(page)).toContainText('Twice.\nAloud.')
  await expect(page).toHaveTitle('Messages · Z!mmer')

  // Ana shares a day of the diary.
  await page.getByRole('button', { name: 'Share Diary Entry' }).click()
  const share = page.getByRole('dialog', { name: 'Share Diary Entry' })
  await share.getByRole('button', { name: /^9 Monday/ }).click()
  await expect(share.getByText('I counted umbrellas.')).toBeVisible()
  await share.getByRole('button', { name: 'Share with Ben Okafor' }).click()
  const card = newest(other).getByRole('figure')
  await expect(card).toContainText('From the diary · Monday, June 9, 2025')
  await expect(card).toContainText('The rain began at four.\n\n  I counted umbrellas.', {
    useInnerText: true,
  })
  await ana.client.does(saveDiaryEntry, { input: { date: '2025-06-09', content: 'Another text.' } })
  await other.reload()
  await expect(card).toContainText('I counted umbrellas.')
  await examine(other, 'a conversation')

  // Ana deletes a message.
  await expect(messages(other)).toHaveCount(4)
  await messages(page).filter({ hasText: 'All of it?' }).hover()
  await messages(page).filter({ hasText: 'All of it?' }).getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Are you sure you want to delete this message?')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(messages(page)).toHaveCount(3)
  await expect(messages(other)).toHaveCount(3)

  // Ben blocks Ana, and Ana is not told.
  await other.getByRole('button', { name: 'More about Ana Lima' }).click()
  await other.getByRole('menuitem', { name: 'Block' }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await expect(other.getByText('No friends yet')).toBeVisible()
  await field(page).fill('Are you there?')
  await field(page).press('Enter')
  await expect(page.getByText(/This person is not among your friends\./).first()).toBeVisible()

  // Ben unblocks Ana, and both find the conversation again.
  await other.goto('/settings#part-blocked-people')
  await other.getByRole('button', { name: /Unblock/ }).click()
  await page.goto(conversation(ben))
  await expect(messages(page)).toHaveCount(3)
  await expect(field(page)).toHaveValue('Are you there?')
  await field(page).press('Enter')
  await expect(messages(page)).toHaveCount(4)
  await other.goto(conversation(ana))
  await expect(newest(other)).toContainText('Are you there?')
})

test('a person without a connection keeps the message, sends it again, and receives what was missed [MSG-14 MSG-27 PPL-08]', async ({
  page,
  app,
  forgive,
}) => {
  forgive(/Failed to send|Failed to load|^Object$/)
  const { ana, ben } = await twoFriends(app)
  await signIn(page, ana)
  await page.goto(conversation(ben))
  await write(page, 'Before')
  await page.context().setOffline(true)
  await field(page).fill('By train')
  await field(page).press('Enter')
  await expect(page.getByText('Your message could not be sent yet. It is still here.')).toBeVisible()
  await expect(field(page)).toHaveValue('By train')
  await examine(page, 'a message that was not sent')
  await say(ben, ana, 'While you were away')
  await page.context().setOffline(false)
  // Lists that could not be read meanwhile have such a button, too.
  await page
    .locator('form', { has: field(page) })
    .getByRole('button', { name: 'Try again' })
    .click()
  await expect(field(page)).toHaveValue('')
  await expect(messages(page).filter({ hasText: 'By train' })).toHaveCount(1)
  await expect(messages(page).filter({ hasText: 'While you were away' })).toHaveCount(1)
})

test('a person who reloads finds the draft of each friend [MSG-14]', async ({ page, app }) => {
  const { ana, ben } = await twoFriends(app)
  const cleo = await app.signUp({ firstName: 'Cleo', lastName: 'Ross' })
  await ana.client.does(addFriend, { input: { friendUserId: cleo.user.id } })
  await signIn(page, ana)
  await page.goto(conversation(ben))
  await field(page).fill('A letter that is not finished')
  await row(page, /^Cleo Ross/).click()
  await expect(field(page)).toHaveValue('')
  await field(page).fill('Another one')
  await page.goBack()
  await expect(field(page)).toHaveValue('A letter that is not finished')
  await page.reload()
  await expect(field(page)).toHaveValue('A letter that is not finished')
  await row(page, /^Cleo Ross/).click()
  await expect(field(page)).toHaveValue('Another one')
})

test('a conversation opens at its newest message, and a person who scrolls up reads on without a jump [PPL-11]', async ({
  page,
  app,
}) => {
  const { ana, ben } = await twoFriends(app)
  // Two people: each may send 60 messages a minute.
  for (let i = 1; i <= 55; i++) {
    await say(ana, ben, `Ana ${i}\n${'and on '.repeat(i)}`)
    await say(ben, ana, `Ben ${i}`)
  }
  const ofEarlier = /\/messages\/.*before=/
  const release = await holdRequests(page, ofEarlier)
  await signIn(page, ana)
  await page.goto(conversation(ben))
  await expect(newest(page)).toContainText('Ben 55')
  await expect(newest(page)).toBeInViewport()
  await expect(messages(page)).toHaveCount(50)
  const read = messages(page).filter({ hasText: /^You: Ana 32\n/ })
  const asked = page.waitForRequest(ofEarlier)
  await read.scrollIntoViewIfNeeded()
  await asked
  const top = async () => (await read.boundingBox())!.y
  const before = await top()
  release()
  await expect(messages(page)).toHaveCount(100)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1)
  await page.evaluate(() => scrollTo(0, 0))
  await expect(messages(page)).toHaveCount(110)
  await expect(messages(page).first()).toContainText('Ana 1')
  await say(ben, ana, 'One more')
  await page.getByRole('button', { name: 'New messages' }).click()
  await expect(newest(page)).toContainText('One more')
  await expect(newest(page)).toBeInViewport()
})

test('a person who opens a long conversation sees the messages of the window first and then all: none of them moves, and none is announced [PPL-11]', async ({
  page,
  app,
}) => {
  const { ana, ben } = await twoFriends(app)
  for (let i = 1; i <= 25; i++) {
    await say(ana, ben, `Ana ${i}`)
    await say(ben, ana, `Ben ${i}`)
  }
  await signIn(page, ana)
  await page.goto('/messages')
  const shown = await page.evaluateHandle(() => {
    const seen: { first?: number; top?: number; announced: number } = { announced: 0 }
    const messagesOf = (node: ParentNode) => [...node.querySelectorAll('[data-message]')]
    const observer = new MutationObserver((changes) => {
      const all = messagesOf(document)
      if (seen.first !== undefined) {
        for (const { target, addedNodes } of changes)
          if ((target as Element).closest('[role=log]')) seen.announced += addedNodes.length
      } else if (all.length > 0) {
        seen.first = all.length
        seen.top = all.at(-1)!.getBoundingClientRect().top
      }
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return seen
  })
  await row(page, /^Ben Okafor/).click()
  await expect(messages(page)).toHaveCount(50)
  const { first, top, announced } = await shown.jsonValue()
  expect(first).toBeLessThan(30)
  expect(announced).toBe(0)
  expect(Math.abs((await newest(page).boundingBox())!.y - top!)).toBeLessThanOrEqual(1)
  await expect(newest(page)).toBeInViewport()
})

test('on a phone a person goes from the friends to a conversation and back, and sends by the button [MSG-14 MSG-15 MSG-26]', async ({
  app,
  open,
}) => {
  const { ana, ben } = await twoFriends(app)
  await say(ben, ana, 'W'.repeat(200))
  const page = await open(phone)
  await signIn(page, ana)
  await page.goto('/messages')
  await expect(page.getByRole('button', { name: 'Menu, 1 unread' })).toBeVisible()
  await row(page, /^Ben Okafor/).tap()
  await expect(row(page, /^Ben Okafor/)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Ben Okafor' })).toBeFocused()
  await field(page).tap()
  // Until its draft is read, the field takes no keys.
  await expect(field(page)).toBeEditable()
  await page.setViewportSize({ width: 390, height: 430 })
  await field(page).pressSequentially('The first line')
  await field(page).press('Enter')
  await field(page).pressSequentially('and its second')
  await page.getByRole('button', { name: 'Send' }).tap()
  await expect(newest(page)).toContainText('The first line\nand its second', { useInnerText: true })
  await expect(newest(page)).toBeInViewport()
  await expect(field(page)).toBeFocused()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await page.setViewportSize(phone.viewport)
  await page.getByRole('link', { name: 'Friends' }).tap()
  await expect(row(page, /^Ben Okafor/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeFocused()
  await expect(field(page)).toHaveCount(0)
  await examine(page, 'the friends')
})

test('on a phone a conversation ends at its field, which stands on the bottom bar, long or short [MSG-14]', async ({
  app,
  open,
}) => {
  const { ana, ben } = await twoFriends(app)
  const page = await open(phone)
  await signIn(page, ana)
  for (const count of [0, 30]) {
    for (let i = 0; i < count; i++) await say(ben, ana, `Message ${i}`)
    await page.goto(conversation(ben))
    await expect(field(page)).toBeEditable()
    const sizes = () => page.evaluate(() => [document.documentElement.scrollHeight, innerHeight] as const)
    await expect.poll(async () => (await sizes())[0] > (await sizes())[1]).toBe(count > 0)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const form = page.locator('form', { has: field(page) })
    const paddingBelow = 12
    const gap = async () => {
      const [own, bar] = [(await form.boundingBox())!, (await bottomBar(page).boundingBox())!]
      return Math.round(bar.y - own.y - own.height)
    }
    await expect.poll(gap).toBe(paddingBelow)
    // The bar stays where it is while the page scrolls.
    expect((await bottomBar(page).boundingBox())!.y).toBeLessThan(phone.viewport.height)
  }
})

test('a guest reads that there are no friends, and can sign in [MSG-25 MSG-28]', async ({ page }) => {
  await asGuest(page)
  await page.goto('/messages')
  await expect(page.getByText('No friends yet')).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Sign In' })).toBeVisible()
  await examine(page, 'the messages of a guest')
})

test('a person reads in the list of friends, in every tab, how the last message begins, until it is deleted [LOOP-26]', async ({
  page,
  app,
  open,
}) => {
  const { ana, ben } = await twoFriends(app)
  await say(ben, ana, 'Good evening, Ana')
  await signIn(page, ana)
  const tab = await page.context().newPage()
  const other = await open()
  await signIn(other, ben)
  for (const each of [page, tab]) await each.goto('/messages')
  await other.goto('/messages')
  for (const each of [page, tab]) await expect(row(each, /^Ben Okafor.*Good evening, Ana/)).toBeVisible()
  await row(page, /^Ben Okafor/).click()
  await write(page, 'The sea is near.\nCome soon.')
  for (const each of [page, tab])
    await expect(row(each, /^Ben Okafor.*You: The sea is near\. Come soon\./)).toBeVisible()
  await expect(row(other, /^Ana Lima.*The sea is near\. Come soon\./)).toBeVisible()
  await newest(page).hover()
  await newest(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  for (const each of [page, tab]) await expect(row(each, /^Ben Okafor.*Good evening, Ana/)).toBeVisible()
  await expect(row(other, /^Ana Lima.*You: Good evening, Ana/)).toBeVisible()
})
