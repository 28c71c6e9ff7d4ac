import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const widths = [390, 820, 1440]
const height = 900

/** Everything at each width by day; by night, when nothing but the colours differs, the contrasts. */
export async function examine(page: Page, name: string) {
  const places: Record<string, string[]> = {}
  for (const theme of ['day', 'night'] as const) {
    await page.evaluate((chosen) => void (document.documentElement.dataset['theme'] = chosen), theme)
    for (const width of widths) {
      await page.setViewportSize({ width, height })
      for (const fault of [...(await violations(page, theme)), ...(await sidewaysScrolling(page))])
        (places[fault] ??= []).push(`${width} px by ${theme}`)
    }
  }
  expect.soft(places, name).toEqual({})
}

async function violations(page: Page, theme: 'day' | 'night') {
  // The other mode opens a window of its own for each look.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const found = await (theme === 'day' ? axe : axe.withRules(['color-contrast'])).analyze()
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

async function sidewaysScrolling(page: Page) {
  const scrolls = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  return scrolls ? ['scrolls sideways'] : []
}
