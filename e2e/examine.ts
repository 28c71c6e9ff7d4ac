import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

// The widest one comes second: then the one in between seldom shows anything new.
const widths = [390, 1440, 820]
const height = 900

const ofAxe = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const axeScript = readFileSync(ofAxe.resolve('axe-core/axe.min.js'), 'utf8')

/** Rules whose outcome depends on where elements are, and what is behind them. */
const layoutRules = ['color-contrast', 'scrollable-region-focusable', 'link-in-text-block']

/**
 * Runs axe at each width: with all rules where the page shows elements that it did not show at another width, and
 * otherwise with the rules on the layout. By night only the colours differ, so it examines the contrast of each element
 * once more.
 */
export async function examine(page: Page, name: string) {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  const withoutTransitions = await stopTransitions(page)
  const problems: Record<string, string[]> = {}
  for (const theme of ['day', 'night'] as const) {
    await page.evaluate((chosen) => {
      document.documentElement.dataset['theme'] = chosen
      Object.assign(window, { examined: new Set<Element>() })
    }, theme)
    for (const width of widths) {
      await page.setViewportSize({ width, height })
      const isNew = await showsNewElements(page)
      const found = await sidewaysScrolling(page)
      if (theme === 'day') found.push(...(await violations(page, isNew ? undefined : layoutRules)))
      else if (isNew) found.push(...(await violations(page, ['color-contrast'])))
      for (const problem of found) (problems[problem] ??= []).push(`${width} px by ${theme}`)
    }
  }
  await withoutTransitions.evaluate((sheet) => (sheet.disabled = true))
  expect.soft(problems, name).toEqual({})
}

/** Examines at each width, by day, only what depends on where elements are: for a page whose elements are examined elsewhere. */
export async function examineLayout(page: Page, name: string) {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  const problems: Record<string, string[]> = {}
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    const found = [...(await sidewaysScrolling(page)), ...(await violations(page, layoutRules))]
    for (const problem of found) (problems[problem] ??= []).push(`${width} px`)
  }
  expect.soft(problems, name).toEqual({})
}

/** Whether an element is visible that was not visible at the widths before. */
const showsNewElements = (page: Page) =>
  page.evaluate(() => {
    const { examined } = window as Window & { examined?: Set<Element> }
    const visible = [...document.querySelectorAll('*')].filter((element) => element.checkVisibility())
    const isNew = visible.some((element) => !examined!.has(element))
    for (const element of visible) examined!.add(element)
    return isNew
  })

/**
 * Switches all transitions off, and returns the style sheet that does so. Otherwise axe may read a colour in between. The browser
 * may begin a transition as late as axe reads the colour: it skips the styles of rows that are out of sight.
 */
const stopTransitions = (page: Page) =>
  page.evaluateHandle(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, ::before, ::after { transition: none !important }')
    document.adoptedStyleSheets.push(sheet)
    return sheet
  })

/** With some rules of axe, or with all. */
async function violations(page: Page, rules?: string[]) {
  // The builder would load axe twice for each analysis, and a script of twice the size.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript)
  // Without the legacy mode, axe opens a new window for each analysis.
  const axe = new AxeBuilder({ page, axeSource: 'void 0' }).setLegacyMode()
  // Otherwise axe also describes each element that passes. No rule in use reads the files of styles.
  axe.options({ resultTypes: ['violations'], preload: false })
  const found = await (rules === undefined ? axe : axe.withRules(rules)).analyze()
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

async function sidewaysScrolling(page: Page) {
  const scrolls = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  return scrolls ? ['scrolls sideways'] : []
}
