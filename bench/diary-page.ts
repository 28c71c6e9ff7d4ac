import type { Page } from '@playwright/test'
import { login, register } from '#contract/account/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { withInstance } from './instance.ts'
import { atMost, fact, printTable } from './table.ts'

const entries = 3410
const person = { email: 'ana@example.org', password: 'a long passcode' }
const text =
  'Rain in the morning, and a letter from the coast that I read twice before the lamp was lit. '.repeat(19)

// These run in the page, for whose globals this project has no types.
const watchBlocks = `
  globalThis.blocks = []
  new PerformanceObserver((list) => blocks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })`
const watchPaint = `
  addEventListener('click', ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => {
    globalThis.paintedAfter = performance.now() - timeStamp
  })), { capture: true, once: true })`

await withInstance(async ({ url, client }) => {
  const ana = client()
  await ana.does(register, { input: { ...person, firstName: 'Ana', lastName: 'Lima' } })
  const today = new Date().toISOString().slice(0, 10)
  const days = Array.from({ length: entries }, (_, n) => addDays(today, -n))
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let date = days.pop(); date !== undefined; date = days.pop()) {
        await ana.does(saveDiaryEntry, { input: { date, content: `${date} ${text}` } })
      }
    }),
  )
  const browser = await launchChromium()
  const visit = async () => {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    await page.request.post(url + login.path, { data: person })
    await page.addInitScript({ content: watchBlocks })
    return page
  }
  // The first page warms the browser up.
  await (await visit()).goto(`${url}/about`)
  /** With an empty cache; the median of three. */
  const first = async (address: string, sight: string) => {
    const seen: Seen[] = []
    for (let round = 0; round < 3; round++) {
      const page = await visit()
      seen.push(await opened(page, url + address, sight))
      await page.context().close()
    }
    return seen.toSorted((one, other) => one.ms - other.ms)[1]!
  }
  const writing = await first('/diary', 'textarea:not([readonly]), button:text("Edit Entry")')
  const paper = await first('/diary?view=paper', '.paper-entry')
  const page = await visit()
  const open = (address: string, sight: string) => opened(page, url + address, sight)
  await open('/calendar', '[data-day]')
  const month = await took(page, () => page.getByRole('button', { name: 'Previous month' }).click())
  const reports = await open('/reports', 'text=Total Words')
  await open('/diary', 'textarea:not([readonly]), button:text("Edit Entry")')
  const scrolled = await leafedThrough(page)
  const pdf = await exported(page)
  await browser.close()
  printTable(`Pages of a diary of ${entries} entries`, [
    atMost('writing view usable', writing.ms, 1000, 'ms', 0),
    atMost('writing view: total blocking time', writing.blockedMs, 200, 'ms', 0),
    atMost('paper view: first entry there', paper.ms, 1000, 'ms', 0),
    fact('paper view: total blocking time', `${paper.blockedMs.toFixed(0)} ms`),
    fact('paper view: longest block, the start of the app', `${paper.longestMs.toFixed(0)} ms`),
    atMost('paper view, opened in the app and scrolled: longest block', scrolled.longestMs, 50, 'ms', 0),
    atMost('calendar: another month', month, 100, 'ms', 0),
    fact('reports there, the entries read and counted', `${reports.ms.toFixed(0)} ms`),
    fact('reports: longest block', `${reports.longestMs.toFixed(0)} ms`),
    fact('PDF', `${(pdf.ms / 1000).toFixed(1)} s, ${(pdf.bytes / 1e6).toFixed(1)} MB`),
    atMost('PDF: longest block of the page', pdf.longestMs, 50, 'ms', 0),
  ])
})

interface Seen {
  ms: number
  blockedMs: number
  longestMs: number
}

/** Measures the time until an element is visible, and how long the main thread was blocked up to two seconds later. */
async function opened(page: Page, address: string, sight: string): Promise<Seen> {
  const start = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  await page.locator(sight).first().waitFor()
  const ms = performance.now() - start
  await page.waitForTimeout(2000)
  return { ms, ...(await blocksOf(page)) }
}

async function blocksOf(page: Page) {
  const blocks = await page.evaluate(() => (globalThis as unknown as { blocks: number[] }).blocks.splice(0))
  return {
    blockedMs: blocks.reduce((sum, block) => sum + block - 50, 0),
    longestMs: Math.max(0, ...blocks),
  }
}

/** Measures the time from an action until the next painted frame. */
async function took(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(watchPaint)
  await act()
  return (
    await page.waitForFunction(() => (globalThis as { paintedAfter?: number }).paintedAfter)
  ).jsonValue() as Promise<number>
}

/** From the writing view to the paper, up to its oldest entry, and a second more, in which late blocks are seen. */
async function leafedThrough(page: Page) {
  await blocksOf(page)
  await page.getByRole('link', { name: 'Paper' }).click()
  await page
    .locator('.paper-entry')
    .nth(entries - 1)
    .waitFor({ state: 'attached', timeout: 60_000 })
  await page.mouse.move(720, 450)
  while (await page.evaluate('scrollY > 2')) await page.mouse.wheel(0, -20_000)
  await page.waitForTimeout(1000)
  return blocksOf(page)
}

async function exported(page: Page) {
  await blocksOf(page)
  const start = performance.now()
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 300_000 }),
    page.getByRole('button', { name: 'Export to PDF' }).click(),
  ])
  const ms = performance.now() - start
  const stream = await download.createReadStream()
  let bytes = 0
  for await (const chunk of stream) bytes += (chunk as Buffer).length
  return { ms, bytes, ...(await blocksOf(page)) }
}
