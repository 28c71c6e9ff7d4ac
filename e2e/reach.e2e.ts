import type { Page } from '@playwright/test'
import { pagePaths } from '#contract/app/pages.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { controlsUnder44 } from './controls.ts'
import { makeRoom } from './people.ts'
import { expect, signIn, test } from './test.ts'
import type { App } from './test.ts'

test.describe.configure({ mode: 'parallel' })
test.use({ contextOptions: { reducedMotion: 'reduce' } })
test.setTimeout(180_000)

test('a person who tabs through a page sees each focused control above the bottom bar', async ({
  page,
  app,
}) => {
  const paths = await asWriter(page, app)
  await page.setViewportSize({ width: 820, height: 500 })
  for (const path of paths) {
    await open(page, path)
    const { stops, covered } = await tabThrough(page)
    expect.soft(stops, path).toBeGreaterThan(10)
    expect.soft(covered, path).toEqual([])
  }
})

test('a person finds the headings of all pages at the same left edge', async ({ page, app }) => {
  const paths = await asWriter(page, app)
  await page.setViewportSize({ width: 1440, height: 900 })
  const edges = new Map<string, number>()
  // A sheet to write on and a story have their heading above the sheet.
  for (const path of paths.filter((address) => !/room=|diary/.test(address))) {
    await open(page, path)
    const heading = page.getByRole('main').getByRole('heading', { level: 1 }).first()
    edges.set(path, Math.round((await heading.boundingBox())!.x))
  }
  expect(Object.fromEntries(edges)).toEqual(
    Object.fromEntries([...edges.keys()].map((path) => [path, edges.get('/calendar')])),
  )
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a person can hit every control with a thumb: each is at least 44 px wide and high', async ({
    page,
    app,
  }) => {
    const paths = await asWriter(page, app)
    const post = await app.publish()
    for (const path of [...paths, `/posts/${post.id}`]) {
      await open(page, path)
      for (const width of [320, 390, 820]) {
        await resize(page, { width, height: 844 })
        const { measured, small } = await controlsUnder44(page)
        expect.soft(measured, path).toBeGreaterThan(5)
        expect.soft(small, `${path} at ${width} px`).toEqual([])
      }
    }
  })

  test('a person reads the name of every control on one line', async ({ page, app }) => {
    const paths = await asWriter(page, app)
    for (const path of paths) {
      await open(page, path)
      for (const width of [320, 360]) {
        await resize(page, { width, height: 780 })
        expect.soft(await controlsOfManyLines(page), `${path} at ${width} px`).toEqual([])
      }
    }
  })

  test('a person sees the name of an author close to the line below it', async ({ page, app }) => {
    await asWriter(page, app)
    for (const path of ['/dashboard', '/users']) {
      await open(page, path)
      const name = page.getByRole('main').getByRole('button', { name: 'Ben', exact: true }).first()
      const gap = await name.evaluate((button) => {
        const boxOfText = (element: Element) => {
          const range = document.createRange()
          range.selectNodeContents(element)
          return range.getBoundingClientRect()
        }
        return boxOfText(button.nextElementSibling!).top - boxOfText(button).bottom
      })
      expect.soft(Math.abs(gap), path).toBeLessThan(10)
    }
  })

  test('a person on a screen of 320 px never has to scroll sideways', async ({ page, app }) => {
    const paths = await asWriter(page, app)
    await page.setViewportSize({ width: 320, height: 600 })
    for (const path of paths) {
      await open(page, path)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect.soft(width, path).toBe(320)
    }
  })
})

/** Signs a person in who has posts, a diary day and a room; answers the pages to look at. */
async function asWriter(page: Page, app: App) {
  const ana = await app.signUp()
  for (const authorName of ['Ana Lima', 'Bartholomew Featherstonehaugh-Cholmondeley', 'Ben'])
    await app.publish({ authorName })
  await ana.client.does(saveDiaryEntry, {
    input: { date: '2025-01-02', content: 'A long day.\n'.repeat(60), base: null },
  })
  const room = await makeRoom(ana)
  await signIn(page, ana)
  return [...pagePaths, '/zimmers?view=rooms', roomPath(room.id), '/diary?day=2025-01-02']
}

async function open(page: Page, path: string) {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
}

/** Resizes the window and waits until the page has drawn its new layout. */
async function resize(page: Page, size: { width: number; height: number }) {
  await page.setViewportSize(size)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** Presses Tab until focus reaches the bottom bar; counts the stops and names the controls that the bar covers. */
async function tabThrough(page: Page) {
  const covered: string[] = []
  let stops = 0
  await page.evaluate(() => document.body.focus())
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const focused = document.activeElement
      const bar = document.querySelector('section[aria-label="Account"]')
      if (bar === null) throw new Error('The page has no bottom bar.')
      if (!(focused instanceof HTMLElement) || focused === document.body) return 'end'
      if (bar.contains(focused)) return 'end'
      const box = focused.getBoundingClientRect()
      // A control taller than the screen cannot be shown whole: then its first part counts.
      const bottom = Math.min(box.bottom, box.top + 44)
      const isCovered = bottom > bar.getBoundingClientRect().top + 1
      return isCovered ? `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.innerText}` : ''
    })
    if (found === 'end') break
    stops++
    if (found !== '') covered.push(found)
  }
  return { stops, covered }
}

/** Names the controls with a short name on more than one line. */
function controlsOfManyLines(page: Page) {
  return page.evaluate(() => {
    const longestName = 24
    const controls = [...document.querySelectorAll<HTMLElement>('button, [role=tab], nav a')]
    // Days of the calendar and cards contain more than a name.
    return controls
      .filter((control) => !control.matches('[data-day], .flex-col'))
      .filter((control) => control.innerText.length <= longestName && control.innerText.trim() !== '')
      .filter((control) => control.checkVisibility() && getComputedStyle(control).clipPath === 'none')
      .filter((control) => {
        const lines = document.createRange()
        lines.selectNodeContents(control)
        // Text for screen readers alone is 1 px wide.
        const tops = [...lines.getClientRects()].filter(({ width }) => width > 1).map(({ bottom }) => bottom)
        return Math.max(...tops) - Math.min(...tops) > 12
      })
      .map((control) => control.innerText)
  })
}
