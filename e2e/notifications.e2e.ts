import type { BrowserContext, Locator, Page } from '@playwright/test'
import { addFriend } from '#contract/friends/endpoints.ts'
import { acceptInvitation, createInvitation } from '#contract/invitations/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { examine } from './examine.ts'
import { bottomBar, makeRoom } from './people.ts'
import { type App, asGuest, asVisitor, expect, type Person, signIn, test } from './test.ts'

test.describe.configure({ mode: 'parallel' })

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const list = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const toast = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('listitem')
const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

async function twoFriends(app: App) {
  const ana = await app.signUp({ firstName: 'Ana', lastName: 'Lima' })
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
  await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
  return { ana, ben }
}

const say = (from: Person, to: Person, content: string) =>
  from.client.does(sendMessage, { input: { receiverId: to.user.id, messageType: 'text', content } })

declare global {
  interface Window {
    /** The desktop notifications that this tab has shown. */
    shownOnDesktop: Notification[]
  }
}

/**
 * Records the desktop notifications of each tab, and says that they are permitted: a browser without windows refuses them,
 * whatever a person has granted.
 */
async function allowNotifications(context: BrowserContext) {
  await context.addInitScript(() => {
    window.shownOnDesktop = []
    window.Notification = new Proxy(Notification, {
      construct: (real, [title, options]: [string, NotificationOptions]) => {
        const shown = new real(title, options)
        window.shownOnDesktop.push(shown)
        return shown
      },
      get: (real, name) => (name === 'permission' ? 'granted' : Reflect.get(real, name)),
    })
  })
}

/** What the desktop shows. As in a browser, a notification takes the place of an earlier one with its tag. */
const onDesktop = async (...pages: Page[]) => {
  const shown = await Promise.all(
    pages.map((page) =>
      page.evaluate(() =>
        window.shownOnDesktop.map(({ tag, title, body }) => [tag, `${title}: ${body}`] as const),
      ),
    ),
  )
  return [...new Map(shown.flat()).values()]
}

/** Playwright shows every tab: here the page is told that it is out of sight. */
const setVisibility = (page: Page, to: 'visible' | 'hidden') =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, to)

/** Opens a page, and waits until it receives events. */
async function openLive(page: Page, path: string) {
  await page.goto(path)
  await expect(bell(page)).toBeEnabled()
  await expect(async () => {
    const { held = [] } = await page.evaluate(() => navigator.locks.query())
    expect(held.map(({ name }) => name).join()).toContain(`shown `)
  }).toPass()
}

test('a toast on a phone leaves the header, the field of a room and the bottom bar free [NOTE-06]', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { ana, ben } = await twoFriends(app)
  const room = await makeRoom(ana)
  await signIn(page, ana)
  await openLive(page, roomPath(room.id))
  const field = page.getByRole('textbox', { name: 'Your passage' })
  await expect(field).toBeEditable()
  await say(ben, ana, 'The first')
  await toast(page).hover()
  const box = async (part: Locator) => (await part.boundingBox())!
  const covered = await box(toast(page))
  for (const part of [page.getByRole('banner'), field, bottomBar(page)]) {
    const { y, height } = await box(part)
    expect(covered.y + covered.height <= y || covered.y >= y + height).toBe(true)
  }
  await bell(page).click()
  await expect(list(page)).toBeVisible()
})

test('a person with two tabs is notified of a message once: by a toast where a tab is visible, else on the desktop, and a press leads to the conversation [NOTE-05 NOTE-11]', async ({
  page,
  context,
  app,
}) => {
  await allowNotifications(context)
  const { ana, ben } = await twoFriends(app)
  await signIn(page, ana)
  const other = await context.newPage()
  await openLive(page, '/diary')
  await openLive(other, '/settings')

  // One tab is visible.
  await setVisibility(other, 'hidden')
  await say(ben, ana, 'The first')
  await expect(toast(page)).toContainText('Ben OkaforSent you a message.')
  await expect(page).toHaveTitle(/^\(1\) /)
  expect(await toast(other).count()).toBe(0)
  expect(await onDesktop(page, other)).toEqual([])
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 new')
  await expect(bell(other)).toHaveAccessibleName('Notifications, 1 new')

  // Both tabs are out of sight.
  await setVisibility(page, 'hidden')
  await say(ben, ana, 'The second')
  await expect.poll(() => onDesktop(page, other)).toEqual(['Ben Okafor: Sent you a message.'])
  const [leader] = (await onDesktop(page)).length === 1 ? [page] : [other]
  await leader!.evaluate(() => window.shownOnDesktop[0]!.dispatchEvent(new Event('click')))
  await expect(leader!).toHaveURL(new RegExp(`/messages\\?friend=${ben.user.id}$`))
  await expect(leader!.locator('[data-message]').last()).toContainText('The second')

  // The conversation is visible in one tab, and the other tab is out of sight.
  await setVisibility(leader!, 'visible')
  await say(ben, ana, 'The third')
  await expect(leader!.locator('[data-message]').last()).toContainText('The third')
  await expect(page).not.toHaveTitle(/^\(/)
  expect(await onDesktop(page, other)).toHaveLength(1)
  await expect(bell(leader!)).toHaveAccessibleName('Notifications')
})

test('an author is notified of the approval of a post, and opens the post from the list [NOTE-03 NOTE-11]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  await openLive(page, '/diary')
  await app.publish({ content: 'The rain began at four.\nI counted umbrellas.', by: ana.client })
  await expect(toast(page)).toContainText('Your post is publishedThe rain began at four.')
  await bell(page).focus()
  await page.keyboard.press('Enter')
  await expect(list(page)).toBeVisible()
  await examine(page, 'the list of notifications', list(page))
  await page.keyboard.press('Escape')
  await expect(list(page)).toBeHidden()
  await expect(bell(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await list(page)
    .getByRole('link', { name: /Your post is published/ })
    .press('Enter')
  await expect(page.getByTestId('article-content')).toContainText('I counted umbrellas.')
})

test('an invited friend is notified and enters the private room, and a stranger is not told of it [NOTE-11 RLIST-52 RLIST-56]', async ({
  page,
  app,
  open,
}) => {
  const { ana, ben } = await twoFriends(app)
  const stranger = await open()
  await signIn(page, ben)
  await signIn(stranger, await app.signUp({ firstName: 'Cleo' }))
  await openLive(page, '/diary')
  await openLive(stranger, '/diary')
  const { id } = await ana.client.does(createRoom, {
    input: {
      name: 'The long night',
      description: 'Nobody sleeps in this house.',
      isPublic: false,
      duration: 30,
      invitedFriends: [ben.user.id],
    },
  })
  await expect(toast(page)).toContainText('The long nightA friend has invited you to this room.')
  await toast(page).getByRole('button', { name: 'Open' }).click()
  await expect(page).toHaveURL(new RegExp(`room=${id}`))
  await expect(page.getByRole('heading', { name: 'The long night' })).toBeVisible()
  // The friendship began while Ben was away, and he has not seen that yet.
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 new')
  await stranger.goto(`/zimmers?view=rooms&room=${id}`)
  await expect(bell(stranger)).toHaveAccessibleName('Notifications')
})

test('a member of a room who reads elsewhere is told of a new passage, and comes to the room by F8 and Enter; with the room open they are not told [NOTE-09 NOTE-11]', async ({
  page,
  app,
}) => {
  const { ana, ben } = await twoFriends(app)
  const { id } = await makeRoom(ana, { name: 'The long night' })
  const other = await makeRoom(ana, { name: 'The short day' })
  for (const room of [id, other.id]) await ben.client.does(joinRoom, { params: { id: room } })
  const write = (content: string, room = id) =>
    ana.client.does(sendPassage, { params: { id: room }, input: { content } })
  await signIn(page, ben)
  await openLive(page, '/diary')
  await write('It was late.')
  await expect(toast(page)).toContainText('The long nightNew passages in this room.')
  await page.keyboard.press('F8')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`room=${id}`))
  await expect(page.getByText('It was late.')).toBeVisible()
  // The friendship began while Ben was away, and he has not seen that yet.
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 new')
  await write('Nobody slept.')
  await expect(page.getByText('Nobody slept.')).toBeVisible()
  // The news of the other room come with those of this one, or later.
  await write('It was early.', other.id)
  await expect(toast(page)).toContainText('The short dayNew passages in this room.')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2 new')
})

test('a person with an account is asked for the permission at the start; a visitor and a guest are not, and have no bell [NOTE-02 NOTE-11]', async ({
  page,
  app,
  open,
}) => {
  const [guest, ana] = [await open(), await open()]
  await asGuest(guest)
  await asVisitor(page)
  await signIn(ana, await app.signUp())
  for (const each of [page, guest, ana]) {
    await each.addInitScript(() => {
      Object.defineProperty(Notification, 'permission', { value: 'default' })
      Notification.requestPermission = () => {
        performance.mark('asked')
        return Promise.resolve('default')
      }
    })
    await each.goto('/dashboard')
    await expect(each.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
  }
  const asked = (each: Page) => each.evaluate(() => performance.getEntriesByName('asked').length)
  await expect.poll(() => asked(ana)).toBe(1)
  for (const each of [page, guest]) {
    await expect(bell(each)).toHaveCount(0)
    expect(await asked(each)).toBe(0)
  }
})

test('on a phone of 320 px the bell, the account, the search and the menu stand in one line, and the list fits the screen [NOTE-11]', async ({
  app,
  open,
}) => {
  const page = await open(phone)
  const ana = await app.signUp({ firstName: 'Maximiliane', lastName: 'von Hohenstein-Lichtenberg' })
  await signIn(page, ana)
  await openLive(page, '/diary')
  const boxes = await Promise.all(
    [
      bell(page),
      page.getByRole('button', { name: 'Open search' }),
      page.getByRole('button', { name: 'Menu' }),
    ].map((each) => each.boundingBox()),
  )
  for (const box of boxes) {
    expect(box!.y + box!.height / 2).toBeCloseTo(boxes[0]!.y + boxes[0]!.height / 2, 0)
    expect(box!.width).toBeGreaterThanOrEqual(44)
    expect(box!.x + box!.width).toBeLessThanOrEqual(320)
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await bell(page).tap()
  await expect(list(page)).toContainText('Nothing new.')
  const box = (await list(page).boundingBox())!
  expect([box.x >= 0, box.x + box.width <= 320]).toEqual([true, true])
  await examine(page, 'an empty list of notifications', list(page))
})

test('an author whose browser was closed as a first post was approved finds it counted and in the list after sign-in, opens it, and has seen it on a second device too [LOOP-23]', async ({
  app,
  open,
}) => {
  const ana = await app.signUp({ firstName: 'Ana' })
  await app.publish({ content: 'The rain began at four.\nI counted umbrellas.', by: ana.client })
  const [desk, second] = [await open(), await open(phone)]
  await signIn(desk, ana)
  await signIn(second, ana)
  await openLive(desk, '/diary')
  await openLive(second, '/diary')
  for (const page of [desk, second]) {
    await expect(bell(page)).toHaveAccessibleName('Notifications, 1 new')
    expect(await toast(page).count()).toBe(0)
  }
  await bell(desk).click()
  await expect(list(desk).getByRole('listitem')).toHaveText(
    /^New: Your post is published.*The rain began at four\.$/,
  )
  await list(desk)
    .getByRole('link', { name: /Your post is published/ })
    .click()
  await expect(desk.getByTestId('article-content')).toContainText('I counted umbrellas.')
  await expect(bell(second)).toHaveAccessibleName('Notifications', { timeout: 2000 })
  await second.reload()
  await expect(bell(second)).toBeEnabled()
  await expect(bell(second)).toHaveAccessibleName('Notifications')
})

test('a question about somebody who followed a link and an invitation to a room wait for a person who was away, and answering or entering is seen on all devices [LOOP-23 S57]', async ({
  app,
  open,
}) => {
  const { ana, ben } = await twoFriends(app)
  const { id } = await ben.client.does(createRoom, {
    input: {
      name: 'The long night',
      description: 'Nobody sleeps in this house.',
      isPublic: false,
      duration: 30,
      invitedFriends: [ana.user.id],
    },
  })
  const { token } = await ana.client.does(createInvitation)
  const cleo = await app.signUp({ firstName: 'Cleo', lastName: 'Ross' })
  await cleo.client.does(acceptInvitation, { input: { token } })
  const [desk, second] = [await open(), await open()]
  await signIn(desk, ana)
  await signIn(second, ana)
  await openLive(desk, '/diary')
  await openLive(second, '/diary')
  for (const page of [desk, second]) await expect(bell(page)).toHaveAccessibleName('Notifications, 2 new')
  await bell(desk).click()
  await list(desk)
    .getByRole('link', { name: /Cleo Ross/ })
    .press('Enter')
  await expect(desk.getByText('Cleo Ross followed your invitation.')).toBeVisible()
  await expect(bell(second)).toHaveAccessibleName('Notifications', { timeout: 2000 })
  await openLive(second, `/zimmers?view=rooms&room=${id}`)
  await expect(second.getByRole('heading', { name: 'The long night' })).toBeVisible()
  await expect(bell(desk)).toHaveAccessibleName('Notifications')
})
