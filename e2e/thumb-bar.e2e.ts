import type { Page } from '@playwright/test'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { controlsUnder44 } from './controls.ts'
import { makeRoom } from './people.ts'
import { type App, asGuest, asVisitor, bar, expect, signIn, test } from './test.ts'

test.describe.configure({ mode: 'parallel' })

const thumbBar = (page: Page) => page.getByRole('navigation', { name: 'Often used' })
const namesIn = (page: Page) => thumbBar(page).locator('a, button').allInnerTexts()

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a person reaches feed, diary, rooms, messages and a new post by the thumb bar, which marks the open page and unread messages [LOOP-28]', async ({
    page,
    app,
  }) => {
    const ana = await app.signUp()
    const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
    await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
    await ben.client.does(sendMessage, {
      input: { receiverId: ana.user.id, messageType: 'text', content: 'Are you writing?' },
    })
    await signIn(page, ana)
    await page.goto('/dashboard')
    await expect(thumbBar(page).getByRole('link', { name: 'Messages (1 unread)' })).toBeVisible()
    expect(await controlsUnder44(page)).toMatchObject({ small: [] })
    for (const [name, address] of [
      ['Diary', /\/diary$/],
      ['Write', /\/write\/[0-9a-f-]{36}$/],
      ['Rooms', /\/zimmers\?view=rooms$/],
      ['Feed', /\/dashboard$/],
      [/^Messages/, /\/messages/],
    ] as const) {
      const link = thumbBar(page).getByRole('link', { name })
      await link.tap()
      await expect(page).toHaveURL(address)
      await expect(link).toHaveAttribute('aria-current', 'page')
      await expect(thumbBar(page).locator('[aria-current]')).toHaveCount(1)
    }
  })

  test('a person with a phone of 280 px reads the labels of the thumb bar in their usual size [LOOP-28]', async ({
    page,
    app,
  }) => {
    await page.setViewportSize({ width: 280, height: 653 })
    await signIn(page, await app.signUp())
    await page.goto('/dashboard')
    await expect(thumbBar(page).getByRole('link', { name: 'Messages' })).toHaveCSS('font-size', '13px')
  })

  test('a visitor and a guest find in the thumb bar only what works without an account [LOOP-28]', async ({
    page,
    open,
    app,
  }) => {
    const guest = await open({ baseURL: app.url, viewport: { width: 390, height: 844 } })
    await asVisitor(page)
    await asGuest(guest)
    for (const each of [page, guest]) {
      await each.goto('/dashboard')
      await expect.poll(() => namesIn(each)).toEqual(['Feed', 'Diary', 'Write', 'Rooms', 'Creators'])
      await thumbBar(each).getByRole('link', { name: 'Creators' }).click()
      await expect(each).toHaveURL(/\/zimmers$/)
      await thumbBar(each).getByRole('link', { name: 'Write' }).click()
      await expect(each).toHaveURL(/\/write$/)
      await each.getByRole('textbox', { name: 'Your text' }).fill('A line of the night')
      await expect(each.getByText('Safe on this device')).toBeVisible()
      await each.reload()
      await expect(each.getByRole('textbox', { name: 'Your text' })).toHaveValue('A line of the night')
    }
  })

  test('a person opens the actions of the account from the avatar, and finds no account bar in a conversation [LOOP-28 SHELL-43 SHELL-45 SHELL-47 SHELL-49]', async ({
    page,
    app,
  }) => {
    const ana = await app.signUp({ firstName: 'Maximiliane', lastName: 'von Hohenfels-Wittgenstein' })
    const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
    await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
    await signIn(page, ana)
    await page.goto(`/messages?friend=${ben.user.id}`)
    await expect(page.getByPlaceholder('Write a message…')).toBeVisible()
    await expect(bar(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Log Out' })).toBeHidden()

    await page.getByRole('button', { name: 'Account' }).tap()
    const sheet = page.getByRole('dialog', { name: 'Account' })
    const name = sheet.getByText('Logged in as Maximiliane von Hohenfels-Wittgenstein')
    await expect(name).toBeInViewport({ ratio: 1 })
    for (const action of ['Change Password', 'Log Out', 'Contact', 'Info'])
      await expect(sheet.getByText(action, { exact: true })).toBeInViewport({ ratio: 1 })
    expect(await controlsUnder44(page)).toMatchObject({ small: [] })
    await sheet.getByRole('button', { name: 'Change Password' }).tap()
    const password = page.getByRole('dialog', { name: 'Change Password' })
    await expect(password.getByRole('heading')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(password).toBeHidden()
    await sheet.getByRole('link', { name: 'Info' }).tap()
    await expect(page).toHaveURL(/\/about$/)
    await expect(sheet).toBeHidden()
  })

  test('a guest and a visitor open their own actions from the avatar [LOOP-28 SHELL-44 SHELL-46 SHELL-53]', async ({
    page,
    open,
    app,
  }) => {
    const guest = await open({ baseURL: app.url, viewport: { width: 390, height: 844 } })
    await asVisitor(page)
    await asGuest(guest)
    for (const [each, actions] of [
      [page, ['Sign Up', 'Sign In', 'Contact', 'Info']],
      [guest, ['Sign Up', 'Delete', 'Contact', 'Info']],
    ] as const) {
      await each.goto('/dashboard')
      await each.getByRole('button', { name: 'Account' }).click()
      const sheet = each.getByRole('dialog', { name: 'Account' })
      const shown = sheet.locator('button:not([aria-label]), a')
      await expect.poll(() => shown.allInnerTexts()).toEqual(actions)
    }
  })
})

/** Windows of 1280 × 720, 1280 × 1024 and 1440 × 900 at a zoom of 200 %, and phones with a keyboard or on their side. */
const sizes = [
  [640, 360],
  [640, 512],
  [720, 450],
  [390, 480],
  [844, 390],
  [390, 667],
  [1280, 720],
] as const

test('a person who zooms in finds header, bottom bar and all that sticks in at most a fifth of the window, and nothing cut [LOOP-29]', async ({
  page,
  app,
}) => {
  test.slow()
  const paths = await asWriter(page, app)
  for (const path of paths) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      const at = `${path} at ${width} × ${height}`
      await page.evaluate(() => scrollTo(0, 0))
      const atTop = await barsOf(page)
      expect.soft(atTop.header + atTop.bottom, at).toBeLessThanOrEqual(height / 5)
      expect.soft(atTop.stuck, at).toBeLessThanOrEqual(height / 5)
      expect.soft(atTop, at).toMatchObject({ cut: [], sideways: 0 })
      await page.mouse.wheel(0, 300)
      expect.soft((await barsOf(page)).stuck, `${at}, scrolled`).toBeLessThanOrEqual(height / 5)
    }
  }
})

test('a person who zooms in finds the account bar at the end of the page [LOOP-29 SHELL-43]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.setViewportSize({ width: 640, height: 360 })
  await page.goto('/settings')
  await expect(page.getByText('Version 1.0.0')).toBeVisible()
  await expect(bar(page)).not.toBeInViewport()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect(bar(page).getByRole('button', { name: 'Log Out' })).toBeInViewport({ ratio: 1 })
})

async function asWriter(page: Page, app: App): Promise<string[]> {
  const ana = await app.signUp()
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
  for (let n = 0; n < 4; n++) await app.publish({ content: 'A line of a long story.\n'.repeat(20) })
  await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
  await ana.client.does(saveDiaryEntry, {
    input: { date: '2025-01-02', content: 'A long day.\n'.repeat(60), base: null },
  })
  const room = await makeRoom(ana)
  await signIn(page, ana)
  return [
    '/dashboard',
    '/settings',
    '/diary?day=2025-01-02',
    `/messages?friend=${ben.user.id}`,
    roomPath(room.id),
  ]
}

/**
 * The heights in the window of the header, the bottom bar, and all wide elements that are fixed or stick to an edge. The
 * field that a person writes in is no bar.
 */
function barsOf(page: Page) {
  return page.evaluate(() => {
    const heightOf = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0))
    }
    const isStuck = (element: HTMLElement) => {
      const { position, top, bottom } = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      const isAt = (edge: string, actual: number) => Math.abs(Number.parseFloat(edge) - actual) < 1
      const isAtEdge = isAt(top, box.top) || isAt(bottom, innerHeight - box.bottom)
      return position === 'fixed' || (position === 'sticky' && isAtEdge)
    }
    const visible = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) =>
      element.checkVisibility(),
    )
    const stuck = visible.filter(
      (element) =>
        element.offsetWidth > innerWidth / 2 &&
        isStuck(element) &&
        getComputedStyle(element).pointerEvents !== 'none' &&
        element.querySelector('textarea') === null,
    )
    const header = document.querySelector('header')!
    const frame = document.querySelector('[data-away]')!
    const controls = visible.filter((element) => element.matches('header button, header a, [data-away] *'))
    return {
      header: header.checkVisibility() ? heightOf(header) : 0,
      bottom: heightOf(frame),
      stuck: stuck.reduce((sum, element) => sum + heightOf(element), 0),
      cut: controls
        .filter((element) => {
          const bar = element.closest('[data-away]') ?? element.closest('header')!
          const [box, around] = [element.getBoundingClientRect(), bar.getBoundingClientRect()]
          const isInside =
            box.left >= 0 &&
            box.right <= innerWidth &&
            box.top >= around.top - 0.5 &&
            box.bottom <= around.bottom + 0.5
          return !isInside
        })
        .map((element) => element.getAttribute('aria-label') ?? element.innerText),
      sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }
  })
}
