import type { Page } from '@playwright/test'
import { examine, examineAsShown } from './examine.ts'
import { asAdmin, asVisitor, expect, test } from './test.ts'

const path = '/zimmers'
const card = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Showcase' }).getByRole('heading', { level: 3, name: title })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const [first, second, third] = [
  'Before the coffee',
  'Overheard at the last stop',
  'Bridge, never used',
] as const

test('a reader with a keyboard works the showcase, a section and a portfolio with its tabs, comes back to each place, and finds a like again after a reload [CRE-12 CRE-14 CRE-15 CRE-23 CRE-32 CRE-33]', async ({
  page,
}) => {
  await asVisitor(page)
  await page.goto(path)
  await button(page, 'Like 212').press('Enter')
  await expect(button(page, 'Like 213')).toHaveAttribute('aria-pressed', 'true')
  await button(page, 'Pass').focus()
  await page.keyboard.press('ArrowRight')
  await expect(card(page, second)).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(card(page, third)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(card(page, 'Dictionary, left open')).toBeVisible()

  const name = section(page, 'König').getByRole('button', { name: 'Leopold Brandt', exact: true })
  await button(page, 'View All of König').focus()
  for (let presses = 0; presses < 10; presses++) {
    await page.keyboard.press('Tab')
    if (await name.evaluate((element) => element === document.activeElement)) break
  }
  await expect(name).toBeFocused()
  await page.keyboard.press('Enter')
  const portfolio = dialog(page, 'Leopold Brandt')
  await portfolio.getByRole('tab', { name: 'Portfolio' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(portfolio.getByText('May 2022')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(portfolio.getByText('Two hundred people and not one cough.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(portfolio).toBeHidden()
  await expect(name).toBeFocused()

  await button(page, 'View All of Multilingual').press('Enter')
  const all = dialog(page, 'Multilingual')
  const kwame = all.getByRole('button', { name: 'Kwame Boateng', exact: true })
  await kwame.press('Enter')
  // A dialog hears Escape once it has the focus, a moment after it is visible.
  await expect(dialog(page, 'Kwame Boateng').getByRole('heading', { level: 2 })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(kwame).toBeFocused()

  await page.reload()
  await expect(button(page, 'Like 213')).toHaveAttribute('aria-pressed', 'true')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a reader sees the whole width of a card, swipes the cards, and opens, follows, tips and messages a creator by touch, and nothing is sent [CRE-13 CRE-14 CRE-17 CRE-31 CRE-35 CRE-36 CRE-50 TIP-04]', async ({
    page,
  }) => {
    await asVisitor(page)
    const sent: string[] = []
    page.on('request', (request) => void (request.method() !== 'GET' && sent.push(request.url())))
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(path)
    await expect(card(page, first)).toBeVisible()
    const { x, width } = (await page.getByRole('article').first().boundingBox())!
    expect(x).toBeGreaterThan(0)
    expect(x + width).toBeLessThan(320)
    await page.setViewportSize({ width: 390, height: 844 })
    const swipe = await swiping(page)
    await swipe(-160)
    await expect(card(page, second)).toBeVisible()
    await swipe(160)
    await expect(card(page, third)).toBeVisible()
    await swipe(40)
    await expect(card(page, third)).toBeVisible()

    const portfolio = dialog(page, 'Zuri Mwangi')
    // A tap on any place of a card opens the portfolio. The browser drops a tap that comes while the page still scrolls.
    await expect(async () => {
      await section(page, 'Recently Added').getByRole('article').first().tap()
      await expect(portfolio).toBeVisible({ timeout: 2000 })
    }).toPass()
    await portfolio.getByRole('button', { name: 'Follow Zuri Mwangi' }).tap()
    await portfolio.getByRole('button', { name: 'Tip $5' }).tap()
    await dialog(page, 'Tip Zuri Mwangi').getByRole('button', { name: 'Pay $5' }).tap()
    await expect(page.getByText('Your $5 tip for Zuri Mwangi is a demo').first()).toBeVisible()
    await portfolio.getByRole('button', { name: 'Message with Premium' }).tap()
    await dialog(page, 'Message Zuri Mwangi').getByRole('button', { name: 'Pay $5' }).tap()
    await expect(page.getByText('Messaging Zuri Mwangi for $5 monthly is a demo').first()).toBeVisible()
    await portfolio.getByRole('button', { name: 'Close' }).tap()
    await expect(button(page, 'Following Zuri Mwangi').first()).toBeVisible()
    expect(sent).toEqual([])
  })
})

/** Draws a finger over the card at the top of the stack. */
async function swiping(page: Page) {
  const touch = await page.context().newCDPSession(page)
  return async (by: number) => {
    const { x, y, width } = (await page.getByRole('article').first().boundingBox())!
    const from = x + width / 2
    const move = (type: 'touchStart' | 'touchMove', at: number) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: at, y: y + 200 }] })
    await move('touchStart', from)
    for (let step = 1; step <= 8; step++) await move('touchMove', from + (by * step) / 8)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
}

test('an admin moves a creator to another section, and finds the creator there after a reload [CRE-45 CRE-46 CRE-49]', async ({
  page,
}) => {
  await asAdmin(page)
  await page.goto(path)
  await button(page, 'Manage Categories').click()
  await dialog(page, 'Manage Categories').getByLabel('Amara Okonjo').selectOption('Most Creative')
  await page.reload()
  const amara = { name: 'Amara Okonjo', exact: true }
  await expect(section(page, 'Most Creative').getByRole('button', amara)).toBeVisible()
  await expect(section(page, 'König').getByRole('button', amara)).toHaveCount(0)
})

test('an admin finds a portfolio, a payment, a section and Manage Categories accessible at any width, by day and by night [CRE-32]', async ({
  page,
}) => {
  test.setTimeout(360_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await asAdmin(page)
  await page.goto(path)
  await section(page, 'König').getByRole('button', { name: 'Amara Okonjo', exact: true }).click()
  await page.getByRole('tab', { name: 'Reviews' }).click()
  await examine(page, 'a portfolio')
  await button(page, 'Message with Premium').click()
  await expect(dialog(page, 'Message Amara Okonjo')).toBeVisible()
  await examine(page, 'a payment')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await button(page, 'View All of König').click()
  await expect(dialog(page, 'König')).toBeVisible()
  // Its cards are those of the page, which `reach.e2e.ts` examines.
  await examineAsShown(page, 'a section')
  await page.keyboard.press('Escape')
  await button(page, 'Manage Categories').click()
  await expect(dialog(page, 'Manage Categories')).toBeVisible()
  await examine(page, 'Manage Categories')
})

test('a reader of the feed fetches no portfolio and no piece of the showcase [CRE-02]', async ({
  page,
  app,
}) => {
  await app.publish()
  await asVisitor(page)
  const scripts = new Set<string>()
  page.on('request', (request) => void (request.url().endsWith('.js') && scripts.add(request.url())))
  const fetched = async () => {
    const answers = await Promise.all([...scripts].map((url) => page.request.get(url)))
    return (await Promise.all(answers.map((answer) => answer.text()))).join('\n')
  }
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Recently viewed' }).evaluate((row) => row.scrollIntoView())
  await expect(button(page, 'Follow Amara Okonjo')).toBeVisible()
  const inFeed = await fetched()
  expect(inFeed).toContain('Novelist of river towns')
  for (const text of ['Grandmother laid nine plates', 'I borrow a cup']) expect(inFeed).not.toContain(text)
  await page.goto(path)
  await section(page, 'König').getByRole('button', { name: 'Amara Okonjo', exact: true }).click()
  await expect(page.getByText('Grandmother laid nine plates')).toBeVisible()
  expect(await fetched()).toContain('Grandmother laid nine plates')
})
