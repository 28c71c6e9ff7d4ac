import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import { approvePost, listPendingPosts } from '#contract/feed/endpoints.ts'
import { changePost, getOwnPost } from '#contract/feed/own/endpoints.ts'
import { storyPath } from '#contract/rooms/paths.ts'
import { test as finishedTest } from './finished.ts'
import { rowsOnDevice } from './on-device.ts'
import { type App, bar, expect, shareSession, test } from './test.ts'

const height = 844
const windowOf = (width: number) => ({ viewport: { width, height } })

/** A text in which every word stands once. */
const wordsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => `w${first + n}e`).join(' ')
const paragraphsOf = (title: string) =>
  [title, ...Array.from({ length: 20 }, (_, n) => wordsFrom(n * 100, 100))].join('\n\n')

const line = (page: Page) => page.getByRole('status').getByText('You left off here')
const startAgain = (page: Page) => page.getByRole('button', { name: 'Start from the beginning' })
const scrolled = (page: Page) => page.evaluate(() => scrollY)

/** The bottom of what stays above the text: the row of the button Close in a dialog, and the line. */
const edgeOf = async (page: Page) => {
  const stays = page.locator('[role=dialog] > .sticky, div:has(> [role=status]:text("You left off here"))')
  const boxes = await Promise.all((await stays.all()).map((element) => element.boundingBox()))
  return Math.max(0, ...boxes.map((box) => (box === null ? 0 : box.y + box.height)))
}

/** The word that begins the first whole line. */
const wordAtTop = async (page: Page) =>
  page.evaluate(
    (edge) => {
      const text = document.querySelector('[data-long-text]')!
      const x = text.getBoundingClientRect().left + 4
      for (let y = edge + 4; y < innerHeight; y += 4) {
        const at = document.caretRangeFromPoint(x, y)
        if (at === null || !text.contains(at.startContainer)) continue
        const range = document.createRange()
        range.setStart(at.startContainer, at.startOffset)
        range.setEnd(at.startContainer, at.startOffset + 1)
        if (range.getBoundingClientRect().top < edge) continue
        const word = /\S+/.exec(at.startContainer.textContent!.slice(at.startOffset))
        if (word !== null) return word[0]
      }
      throw new Error('No word is in sight.')
    },
    await edgeOf(page),
  )

/** How many lines the word stands below the top: 0 for the first whole line. */
const linesAbove = async (page: Page, word: string) =>
  page.evaluate(
    ({ searched, edge }) => {
      const text = document.querySelector('[data-long-text]')!
      const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const at = walker.currentNode.textContent!.indexOf(searched)
        if (at === -1) continue
        const range = document.createRange()
        range.setStart(walker.currentNode, at)
        range.setEnd(walker.currentNode, at + 1)
        const lineHeight = parseFloat(getComputedStyle(text.querySelector('p')!).lineHeight)
        return Math.floor((range.getBoundingClientRect().top - edge) / lineHeight)
      }
      throw new Error(`${searched} is not on the page.`)
    },
    { searched: word, edge: await edgeOf(page) },
  )

/** How many lines are cut by what stays above the text. */
const cutLines = async (page: Page) =>
  page.evaluate(
    (edge) => {
      const walker = document.createTreeWalker(
        document.querySelector('[data-long-text]')!,
        NodeFilter.SHOW_TEXT,
      )
      let count = 0
      while (walker.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        count += [...range.getClientRects()].filter(
          ({ top, bottom }) => top < edge - 1 && bottom > edge + 1,
        ).length
      }
      return count
    },
    await edgeOf(page),
  )

/** Reads a text up to its middle. Returns the word at the top. */
async function readHalf(page: Page, part = 0.5) {
  // A tab that has lost its session reads the text again.
  await page.locator('[data-long-text]').waitFor()
  await page.evaluate((share) => {
    const text = document.querySelector('[data-long-text]')!
    const scroller = text.closest('[role=dialog]') ?? document.documentElement
    scroller.scrollTop += text.getBoundingClientRect().top + text.getBoundingClientRect().height * share
  }, part)
  return wordAtTop(page)
}

/** What this browser keeps of what was read: of a visitor in the local storage, of a signed-in person in a bucket. */
async function keptOfReader(page: Page) {
  const ofSite = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
  return JSON.stringify([ofSite, (await rowsOnDevice(page))['keys/keys']])
}

/** Leaves the page as the reader who closes its tab, and opens the address in another tab. */
async function reopen(page: Page, { width, path }: { width: number; path: string }) {
  await expect.poll(() => keptOfReader(page)).toContain(path.slice(-36))
  const other = await page.context().newPage()
  await page.close()
  await other.setViewportSize({ width, height })
  await other.goto(path)
  return other
}

const publish = (app: App, title: string) => app.publish({ content: paragraphsOf(title) })

for (const [from, to] of [
  [390, 1440],
  [1440, 390],
] as const)
  test(`a visitor who left an article half read at ${from} px reads on from the same line at ${to} px and in large letters, also after an edit, and starts again by a button [LOOP-19]`, async ({
    open,
    app,
  }) => {
    const ana = await app.signUp()
    const { id } = await app.publish({ content: paragraphsOf(`Half ${from}`), by: ana.client })
    const path = `/posts/${id}`
    let page = await open(windowOf(from))
    await page.goto(path)
    const word = await readHalf(page)
    expect(Number(/\d+/.exec(word)![0])).toBeGreaterThan(700)

    page = await reopen(page, { width: to, path })
    await expect(line(page)).toBeVisible()
    expect(await linesAbove(page, word)).toBe(0)
    expect(await cutLines(page)).toBe(0)

    const { updatedAt: base } = await ana.client.does(getOwnPost, { params: { id } })
    const content = paragraphsOf(`Half ${from}\n\n${'An added sentence. '.repeat(90)}`)
    await ana.client.does(changePost, { params: { id }, input: { content, base } })
    for (const waiting of await app.admin.client.does(listPendingPosts))
      if (waiting.content === content)
        await app.admin.client.does(approvePost, { params: { id: waiting.id } })
    await page.evaluate(() => localStorage.setItem('reading-size', 'large'))
    page = await reopen(page, { width: to, path })
    await expect(line(page)).toBeVisible()
    await expect(page.getByText('An added sentence.').first()).toBeAttached()
    expect(await linesAbove(page, word)).toBe(0)
    const printed = execFileSync('pdftotext', ['-', '-'], { input: await page.pdf(), encoding: 'utf8' })
    expect(printed).toMatch(new RegExp(`^Half ${from}\\s`))
    expect(printed).not.toContain('You left off')

    await startAgain(page).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
    await expect(line(page)).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Comments' })).toBeVisible()
    await expect(line(page)).toHaveCount(0)
    expect(await scrolled(page)).toBe(0)
  })

for (const width of [390, 1440])
  test(`a reader sees no other line before the one where the article was left, and nothing moves, at ${width} px [LOOP-19]`, async ({
    open,
    app,
  }) => {
    const ana = await app.signUp()
    const { id } = await publish(app, `Steady ${width}`)
    const path = `/posts/${id}`
    for (const prepare of [undefined, ana]) {
      let page = await open(windowOf(width))
      if (prepare) await shareSession(page, prepare)
      await page.goto(path)
      const word = await readHalf(page)
      await page.context().addInitScript(() => {
        const seen = { tops: new Set<number>(), shifts: [] as string[] }
        Object.assign(globalThis, { seen })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as { sources: { node: Element }[] }[])
            seen.shifts.push(...entry.sources.map(({ node }) => node.outerHTML ?? node.textContent))
        }).observe({ type: 'layout-shift', buffered: true })
        const look = () => {
          const text = document.querySelector('[data-long-text]')
          if (text?.checkVisibility({ visibilityProperty: true }))
            seen.tops.add(Math.round(text.getBoundingClientRect().top))
          requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      })
      page = await reopen(page, { width, path })
      await expect(line(page)).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Comments' })).toBeAttached()
      expect(await linesAbove(page, word)).toBe(0)
      const { tops, shifts } = await page.evaluate(() => {
        const { seen } = globalThis as unknown as { seen: { tops: Set<number>; shifts: string[] } }
        return { tops: [...seen.tops], shifts: seen.shifts }
      })
      expect(tops).toHaveLength(1)
      expect(shifts).toEqual([])
    }
  })

for (const width of [390, 1440])
  test(`a reader opens two half-read articles in the dialog each at its line, goes back to one, and finds the beginning of one that was read to its end, at ${width} px [LOOP-19]`, async ({
    open,
    app,
  }) => {
    const [older, newer] = [`Older ${width}`, `Newer ${width}`]
    const { id: olderId } = await publish(app, older)
    const { id: newerId } = await publish(app, newer)
    const page = await open(windowOf(width))
    await page.goto('/dashboard')
    const card = page.getByRole('article', { name: 'Post by Ana Lima' }).filter({ hasText: newer })
    const dialog = page.getByRole('dialog')
    const close = dialog.getByRole('button', { name: 'Close' })
    const word = async (part: number) => {
      await expect(dialog.getByRole('heading', { name: 'Comments' })).toBeAttached()
      return readHalf(page, part)
    }
    await card.getByRole('link', { name: 'Continue reading' }).click()
    const inNewer = await word(0.5)
    // Without scrolling to the link, which would be the end of the text.
    await dialog.getByRole('link', { name: `Next: ${older}` }).dispatchEvent('click')
    await expect(dialog.getByRole('heading', { level: 1 })).toHaveText(older)
    await expect(dialog.getByRole('heading', { level: 1 })).toBeInViewport()
    const inOlder = await word(0.3)
    await close.click()

    await card.getByRole('link', { name: 'Continue reading' }).click()
    await expect(line(page)).toBeVisible()
    expect(await linesAbove(page, inNewer)).toBe(0)
    // Without scrolling to the link, which would be the end of the text.
    await dialog.getByRole('link', { name: `Next: ${older}` }).dispatchEvent('click')
    await expect(dialog.getByRole('heading', { level: 1 })).toHaveText(older)
    await expect(line(page)).toBeVisible()
    expect(await linesAbove(page, inOlder)).toBe(0)
    await page.mouse.wheel(0, height)
    await expect(line(page)).toHaveCount(0)

    await page.goto(`/posts/${newerId}`)
    await expect(line(page)).toBeVisible()
    await page.evaluate(() => history.pushState(null, '', '/projects/finished'))
    await expect(page.getByRole('heading', { level: 1, name: 'Finished stories' })).toBeVisible()
    await page.goBack()
    await expect(line(page)).toBeVisible()
    await expect.poll(() => linesAbove(page, inNewer)).toBe(0)

    await page.goto('/about')
    await page.goto(`/posts/${newerId}#main`)
    await expect(page.getByRole('heading', { level: 1, name: newer })).toBeInViewport()
    await expect(line(page)).toHaveCount(0)

    await page.goto(`/posts/${olderId}`)
    await expect(line(page)).toBeVisible()
    await page.keyboard.press('End')
    await expect.poll(() => keptOfReader(page)).not.toContain(olderId)
    await page.goto('/about')
    await page.goto(`/posts/${olderId}`)
    await expect(page.getByRole('heading', { name: 'Comments' })).toBeAttached()
    await expect(line(page)).toHaveCount(0)
    expect(await scrolled(page)).toBe(0)
  })

test('after a log-out nothing tells what a person has read, not even a tab that is still open, and another person begins at the beginning [LOOP-19 S48]', async ({
  open,
  app,
  forgive,
}) => {
  // The second tab asks for a person whose session has ended.
  forgive(/^Failed to fetch user/)
  const [ana, ben] = [await app.signUp(), await app.signUp()]
  const { id } = await publish(app, 'Ours')
  const path = `/posts/${id}`
  const page = await open(windowOf(1440))
  await shareSession(page, ana)
  const kept = async () => (await keptOfReader(page)).includes(id)
  const expectNothingKept = async () => {
    let found = ''
    // The first page after a log-out removes the bucket again, which may end this reading.
    await expect(async () => void (found = await keptOfReader(page))).toPass()
    expect(found).not.toContain(id)
  }
  await page.goto(path)
  await readHalf(page)
  await expect.poll(kept).toBe(true)
  const second = await page.context().newPage()
  await second.goto(path)
  await expect(line(second)).toBeVisible()

  await bar(page).getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(/\/\?onboarding=true$/)
  await expectNothingKept()
  // The second tab may read the article again at this moment, as a visitor.
  await second.evaluate(() => scrollBy(0, -300))
  await second.goto('about:blank')
  await expectNothingKept()

  await shareSession(page, ana)
  await page.goto(path)
  await expect(bar(page)).toContainText('Logged in as')
  await expect(line(page)).toHaveCount(0)
  await readHalf(page)
  await expect.poll(kept).toBe(true)
  await page.context().clearCookies()
  await shareSession(page, ben)
  await page.goto(path)
  await expect(bar(page)).toContainText('Logged in as')
  await expect(page.getByRole('heading', { name: 'Comments' })).toBeAttached()
  await expect(line(page)).toHaveCount(0)
  expect(await scrolled(page)).toBe(0)
})

test('a visitor who left an article has other pages as the server rendered them, and the article from the browser [LOOP-19 PUB-04]', async ({
  open,
  app,
}) => {
  const { id } = await app.publish({ content: paragraphsOf('Here and there') })
  const page = await open(windowOf(390))
  await page.goto(`/posts/${id}`)
  await readHalf(page)
  await page.waitForFunction((text) => JSON.stringify(localStorage).includes(text), id)
  await page.evaluate(() => {
    const guest = localStorage.getItem('guestId')!
    const key = `reading-positions:${guest}`
    localStorage.setItem(key, localStorage.getItem(key)!.replace(/w\d+e /, '/ /dashboard '))
    sessionStorage.clear()
  })
  await page.addInitScript(() => {
    const changes: (string | undefined)[] = []
    Object.assign(globalThis, { changes })
    new MutationObserver(() => changes.push(document.documentElement.dataset['rendered'])).observe(document, {
      attributeFilter: ['data-rendered'],
      subtree: true,
    })
  })
  const changesAt = async (path: string) => {
    await page.goto(path)
    await expect(page.locator('html[data-rendered]')).toHaveCount(0)
    return page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes)
  }
  expect(await changesAt('/')).not.toContain('unused')
  expect(await changesAt('/dashboard')).not.toContain('unused')
  expect(await changesAt(`/posts/${id}`)).toContain('unused')
})

test('a short article is opened at its beginning [LOOP-19]', async ({ open, app }) => {
  const { id } = await app.publish({ content: `Short\n\n${wordsFrom(0, 300)}` })
  const page = await open({ viewport: { width: 1440, height: 400 } })
  await page.goto(`/posts/${id}`)
  await readHalf(page, 0.2)
  await page.goto('/about')
  await page.goto(`/posts/${id}`)
  await expect(page.getByRole('heading', { name: 'Comments' })).toBeAttached()
  await expect(line(page)).toHaveCount(0)
})

for (const [from, to] of [
  [390, 1440],
  [1440, 390],
] as const)
  finishedTest(
    `a reader of a finished story at ${from} px reads on from the same line at ${to} px, also when the names of the authors were shown [LOOP-19]`,
    async ({ open, finished }) => {
      const path = storyPath(finished.rooms.long)
      let page = await open({ baseURL: finished.url, ...windowOf(from) })
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'Contributors' })).toBeAttached()
      await page.getByRole('switch', { name: 'Show who wrote what' }).setChecked(from === 390)
      await page.getByText(/begin20x/).evaluate((paragraph) => paragraph.scrollIntoView())
      await page.getByText(/begin20x/).evaluate((paragraph) => paragraph.scrollIntoView())
      const word = await wordAtTop(page)
      expect(word).toBe('begin20x')
      page = await reopen(page, { width: to, path })
      await expect(line(page)).toBeVisible()
      await expect.poll(() => linesAbove(page, word)).toBe(0)
    },
  )
