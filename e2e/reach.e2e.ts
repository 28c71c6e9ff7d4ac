import type { Page } from '@playwright/test'
import { pagePaths } from '#contract/app/pages.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { controlsUnder44 } from './controls.ts'
import { examine } from './examine.ts'
import { makeRoom } from './people.ts'
import { expect, shareSession, test } from './test.ts'
import type { App } from './test.ts'

const softly = expect.configure({ soft: true })
test.describe.configure({ mode: 'parallel' })
test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** The address of a place on the site, once the person has written there. */
type Place = [name: string, pathFor: (written: { roomId: string; postId: string }) => string]

const places: Place[] = [
  ...[...pagePaths, '/zimmers?view=rooms', '/diary?day=2025-01-02'].map((path): Place => [path, () => path]),
  ['a room', ({ roomId }) => roomPath(roomId)],
]

/** A few places share a window, which opens the second one in half the time. */
const partsOf = (all: Place[]) => {
  const size = 7
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => {
    const part = all.slice(at * size, (at + 1) * size)
    return { part, names: part.map(([name]) => name).join(', ') }
  })
}

/**
 * `/` shows the feed. The journeys of rooms, finished stories, people, messages, invitations, person pages, the admin panel, the
 * management of users, the diary, and of the page that verifies, examine the others with more on them.
 */
const examinedElsewhere: string[] = [
  '/',
  '/projects',
  '/projects/finished',
  '/users',
  '/messages',
  '/settings',
  '/admin',
  '/admin-users',
  '/diary',
  '/verify',
]

/** A sheet to write on and a story have their heading above the sheet. */
const withSheet = ['/diary', '/diary?day=2025-01-02', 'a room']

for (const { part, names } of partsOf(places))
  test(`a person finds each page accessible at any width, by day and by night, its heading at the left edge of the calendar, and each control that Tab reaches above the bottom bar: ${names}`, async ({
    page,
    app,
  }) => {
    test.setTimeout(360_000)
    const written = await asWriter(page, app)
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, '/calendar')
    const edge = await edgeOfHeading(page)
    for (const [place, pathFor] of part) {
      await page.setViewportSize({ width: 820, height: 500 })
      await open(page, pathFor(written))
      const { stops, covered } = await tabThrough(page)
      expect.soft(stops, place).toBeGreaterThan(10)
      expect.soft(covered, place).toEqual([])
      if (!withSheet.includes(place)) {
        await resize(page, { width: 1440, height: 900 })
        await softly.poll(() => edgeOfHeading(page), { message: place }).toBe(edge)
      }
      const isPage = pagePaths.some((path) => path === place)
      if (isPage && !examinedElsewhere.includes(place)) await examine(page, place)
    }
  })

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 844 }, hasTouch: true, isMobile: true })

  const withArticle: Place[] = [...places, ['an article', ({ postId }) => `/posts/${postId}`]]
  for (const { part, names } of partsOf(withArticle))
    test(`a person never scrolls sideways, reads the name of every control on one line, and can hit each with a thumb, since it is at least 44 px wide and high: ${names}`, async ({
      page,
      app,
    }) => {
      const written = await asWriter(page, app)
      for (const [place, pathFor] of part) {
        await page.setViewportSize({ width: 320, height: 844 })
        await open(page, pathFor(written))
        const scrolled = await page.evaluate(() => document.documentElement.scrollWidth)
        expect.soft(scrolled, place).toBe(320)
        for (const width of [320, 360, 390, 820]) {
          await resize(page, { width, height: 844 })
          const { measured, small } = await controlsUnder44(page)
          expect.soft(measured, place).toBeGreaterThan(5)
          expect.soft(small, `${place} at ${width} px`).toEqual([])
          if (width < 390) expect.soft(await controlsOfManyLines(page), `${place} at ${width} px`).toEqual([])
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
})

const writers = new WeakMap<App, ReturnType<typeof makeWriter>>()

/** Gives the browser the session of a person who has posts, a diary day and a room, the same one for all tests of a worker. */
async function asWriter(page: Page, app: App) {
  const writer = writers.get(app) ?? makeWriter(app)
  writers.set(app, writer)
  const { ana, written } = await writer
  await shareSession(page, ana)
  return written
}

async function makeWriter(app: App) {
  const ana = await app.signUp()
  for (const authorName of ['Ana Lima', 'Bartholomew Featherstonehaugh-Cholmondeley'])
    await app.publish({ authorName })
  const post = await app.publish({ authorName: 'Ben' })
  await ana.client.does(saveDiaryEntry, {
    input: { date: '2025-01-02', content: 'A long day.\n'.repeat(60), base: null },
  })
  const room = await makeRoom(ana)
  return { ana, written: { roomId: room.id, postId: post.id } }
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

async function edgeOfHeading(page: Page) {
  const heading = page.getByRole('main').getByRole('heading', { level: 1 }).first()
  return Math.round((await heading.boundingBox())!.x)
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
  // The last control may show its tooltip, which stands outside of the parts of the page.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await expect(page.getByRole('tooltip')).toHaveCount(0)
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
