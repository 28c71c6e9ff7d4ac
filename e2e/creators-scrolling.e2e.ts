import type { Page } from '@playwright/test'
import { asVisitor, expect, test } from './test.ts'

test.setTimeout(120_000)

const third = 'Bridge, never used'
const card = (page: Page, title: string) => page.getByRole('heading', { level: 3, name: title })

async function scrollThroughMore(page: Page) {
  await expect(async () => {
    await page.mouse.wheel(0, 700)
    await expect(page.getByText('All creators loaded!')).toBeInViewport({ timeout: 100 })
  }).toPass({ timeout: 60_000, intervals: [50] })
}

for (const [device, width, height] of [
  ['a phone', 390, 844],
  ['a desktop', 1440, 900],
] as const) {
  test(`a reader who goes through the showcase and scrolls through all creators on ${device} sees nothing move [CRE-42 CRE-43 CRE-44]`, async ({
    page,
  }) => {
    await asVisitor(page)
    await page.setViewportSize({ width, height })
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    // The page arrives after the frame was shown without it.
    await page.route('**/Rooms-*.js', async (route) => {
      await expect(page.locator('[data-waiting]')).toBeAttached()
      await route.continue()
    })
    await page.goto('/zimmers')
    await expect(card(page, 'Before the coffee')).toBeVisible()
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Pass' }).click()
    await expect(card(page, 'Overheard at the last stop')).toBeVisible()
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect(card(page, third)).toBeVisible()
    await page.mouse.move(width / 2, height / 2)
    await scrollThroughMore(page)
    await page.keyboard.press('Home')
    await expect(card(page, third)).toBeInViewport()
    expect(await page.evaluate(() => (window as Window & { shifts?: number[] }).shifts)).toEqual([])
  })
}
