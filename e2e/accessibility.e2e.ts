import type { Page } from '@playwright/test'
import { pagePaths } from '#contract/app/pages.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { conversationPath } from '#contract/messages/paths.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { roomPath, roomsPath } from '#contract/rooms/paths.ts'
import { examine, examineLayout } from './examine.ts'
import { goTo } from './navigation.ts'
import { bottomBar, makeRoom } from './people.ts'
import { asGuest, asVisitor, expect, signIn, test } from './test.ts'

test.describe.configure({ mode: 'parallel' })
test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.setTimeout(360_000)

test('a visitor finds every page accessible at any width, by day and by night', async ({ page, app }) => {
  const post = await app.publish()
  await asVisitor(page)
  for (const path of ['/?onboarding=true', `/posts/${post.id}`, '/no-such-page', '/dashboard']) {
    await open(page, path)
    await examine(page, path)
  }
  // The frame around them is the one of the feed.
  const main = page.getByRole('main')
  const ofVisitors = ['/diary', '/calendar', '/reports', '/admin']
  for (const path of ofVisitors) {
    await goTo(page, path)
    await examine(page, path, main)
  }
  // The rest has the elements that a registered person sees (`reach.e2e.ts`), perhaps at other places.
  for (const path of pagePaths.filter((each) => ![...ofVisitors, '/dashboard'].includes(each))) {
    await goTo(page, path)
    await examineLayout(page, path, main)
  }
})

test('a guest finds the frame and the settings accessible at any width, by day and by night', async ({
  page,
}) => {
  await asGuest(page)
  await open(page, '/settings')
  await examine(page, '/settings')
})

test('a registered person finds the dialogs accessible at any width, by day and by night', async ({
  page,
  app,
}) => {
  await app.publish()
  await signIn(page, await app.signUp())
  await page.goto('/dashboard')
  for (const name of ['Create Post', 'Change Password']) {
    // A wide window has both buttons.
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name, exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await examine(page, name)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await page.getByRole('article').first().getByRole('link', { name: /:\d\d/ }).click()
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Comments' })).toBeVisible()
  await examine(page, 'an article over the feed')
})

test('a registered person finds the rooms accessible at any width, by day and by night', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  const room = await makeRoom(ana)
  await makeRoom(ana, { name: 'A private evening', isPublic: false })
  for (const content of ['It rained.', 'Still,\nsomebody sang.'])
    await ana.client.does(sendPassage, { params: { id: room.id }, input: { content } })
  await page.goto(roomsPath)
  for (const name of ['The long night', 'A private evening'])
    await expect(page.getByRole('article', { name }).first()).toBeVisible()
  await examine(page, 'the list of rooms')
  await page.goto(roomPath(room.id))
  await expect(page.getByText('1 here')).toBeVisible()
  await examine(page, 'a room')
})

test('a person who has set letters of twice the size reads every page on a phone without scrolling sideways, and reaches every button of the frame', async ({
  app,
  open: openBrowser,
}) => {
  const [ana, ben] = [await app.signUp(), await app.signUp({ firstName: 'Ben' })]
  await app.publish()
  await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
  const room = await makeRoom(ana, { turns: 'round' })
  const page = await openBrowser({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await signIn(page, ana)
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await open(page, '/about')
  for (const path of [...pagePaths, roomPath(room.id), conversationPath(ben.user.id), '/write']) {
    await goTo(page, path)
    const { size, beyond } = await page.evaluate(() => ({
      size: getComputedStyle(document.documentElement).fontSize,
      beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }))
    expect.soft({ size, beyond }, path).toEqual({ size: '32px', beyond: 0 })
  }
  await open(page, '/dashboard')
  for (const name of ['Notifications', 'Account', 'Open search', 'Menu'])
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
  for (const link of await bottomBar(page).getByRole('link').all()) {
    // Rows of the feed that come meanwhile move the bar, which stands at the end of this page. Its end may be a fraction of a
    // pixel below the window, because a page scrolls by whole pixels.
    await expect(async () => {
      await link.scrollIntoViewIfNeeded()
      await expect(link).toBeInViewport({ ratio: 0.99, timeout: 1000 })
    }).toPass()
  }
})

async function open(page: Page, path: string) {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
}
