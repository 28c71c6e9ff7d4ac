import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type JSHandle, type Locator, type Page } from '@playwright/test'

// The widest one comes second: then the one in between seldom shows anything new.
const widths = [390, 1440, 820]
const height = 900

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules whose outcome depends on where elements are, and what is behind them. */
const layoutRules = ['color-contrast', 'scrollable-region-focusable', 'link-in-text-block']

/**
 * Runs axe at each width: with all rules where the page shows elements that it did not show at another width, and
 * otherwise with the rules on the layout. By night only the colours differ, so it examines the contrast of each element
 * once more, at the first width that shows the element. A page whose rest is examined elsewhere is examined in one part
 * alone, and so is an open dialog: nobody can reach the page behind it.
 */
export async function examine(page: Page, name: string, part?: Locator) {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  const withoutMotion = await stopMotion(page)
  await page.evaluate(() => Object.assign(window, { examined: new Set<Element>() }))
  await examineAtWidths(page, name, async () => {
    await setTheme(page, 'day')
    const within = await elementsOf(page, part)
    const fresh = await page.evaluateHandle(newElements, within)
    const isNew = await fresh.evaluate((elements) => elements.length > 0)
    const byDay = await violations(page, isNew ? undefined : layoutRules, within)
    if (!isNew) return { 'by day': byDay }
    await setTheme(page, 'night')
    return { 'by day': byDay, 'by night': await violations(page, ['color-contrast'], fresh) }
  })
  await withoutMotion.evaluate((sheet) => (sheet.disabled = true))
}

/** Examines at each width, by day, only what depends on where elements are: for a page whose elements are examined elsewhere. */
export async function examineLayout(page: Page, name: string, part?: Locator) {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await examineAtWidths(page, name, async () => ({
    'by day': await violations(page, layoutRules, await elementsOf(page, part)),
  }))
}

/** Runs axe once, as the window is: on the part of a page whose rest is examined elsewhere, on an open dialog, or on the whole page. */
export async function examineAsShown(page: Page, name: string, part?: Locator) {
  const withoutMotion = await stopMotion(page)
  const within = await elementsOf(page, part)
  expect.soft(await violations(page, undefined, within), name).toEqual([])
  await withoutMotion.evaluate((sheet) => (sheet.disabled = true))
}

async function examineAtWidths(page: Page, name: string, look: () => Promise<Record<string, string[]>>) {
  const problems: Record<string, string[]> = {}
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    const found = { '': await sidewaysScrolling(page), ...(await look()) }
    for (const [when, texts] of Object.entries(found))
      for (const problem of texts) (problems[problem] ??= []).push(`${width} px ${when}`)
  }
  expect.soft(problems, name).toEqual({})
}

const setTheme = (page: Page, theme: 'day' | 'night') =>
  page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme)

const elementsOf = (page: Page, part?: Locator) =>
  part === undefined
    ? page.evaluateHandle(openDialog)
    : part.evaluateHandle((element): Element[] => [element])

/** The dialog on top. Everything behind it but live regions is hidden from assistive technology. */
function openDialog(): Element[] {
  const isInert = document.querySelector('[data-aria-hidden=true]') !== null
  const dialogs = [...document.querySelectorAll(':is([role=dialog], [role=alertdialog])')]
  return isInert ? dialogs.filter((each) => !each.closest('[aria-hidden=true]')).slice(-1) : []
}

/** The elements that are visible and were not visible at the widths before, without those inside of another one. */
function newElements(within: Element[]): Element[] {
  const { examined } = window as Window & { examined?: Set<Element> }
  const all = within.length === 0 ? [document.documentElement] : within
  const visible = all
    .flatMap((part) => [part, ...part.querySelectorAll('*')])
    .filter((element) => element.checkVisibility())
  const fresh = new Set(visible.filter((element) => !examined!.has(element)))
  for (const element of fresh) examined!.add(element)
  return [...fresh].filter(({ parentElement }) => parentElement === null || !fresh.has(parentElement))
}

/**
 * Switches all transitions off, and returns the style sheet that does so. Otherwise axe may read a colour in between. The browser
 * may begin a transition as late as axe reads the colour: it skips the styles of rows that are out of sight.
 */
const stopMotion = (page: Page) =>
  page.evaluateHandle(() => {
    const sheet = new CSSStyleSheet()
    // A dialog appears anew in a window of another width.
    sheet.replaceSync(
      '*, ::before, ::after { transition: none !important; animation-duration: 0s !important }',
    )
    document.adoptedStyleSheets.push(sheet)
    return sheet
  })

interface Axe {
  run(
    where: Document | { include: Element[] },
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

/** With some rules of axe, or with all; in the whole page, or in some elements. When the page has replaced them all, in the whole page. */
async function violations(page: Page, rules?: string[], within?: JSHandle<Element[]>) {
  // Once for each document: the script is large.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript)
  return page.evaluate(
    async ([values, include]) => {
      const { axe } = window as unknown as { axe: Axe }
      const shown = include?.filter(({ isConnected }) => isConnected) ?? []
      const found = await axe.run(shown.length === 0 ? document : { include: shown }, {
        // Otherwise axe also describes each element that passes. No rule in use reads the files of styles.
        resultTypes: ['violations'],
        preload: false,
        ...(values !== undefined && { runOnly: { type: 'rule', values } }),
      })
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
      )
    },
    [rules, within] as const,
  )
}

async function sidewaysScrolling(page: Page) {
  const scrolls = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  return scrolls ? ['scrolls sideways'] : []
}
