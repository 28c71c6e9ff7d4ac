import type { BrowserContext, Page } from '@playwright/test'
import { login, register } from '#contract/account/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { takeNetwork } from '../scripts/testing/without-server.ts'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { withInstance } from './instance.ts'
import { atMost, fact, median, printTable, quantile } from './table.ts'

// What a device keeps of a diary: all days written, read and shown without a network. The browser answers the list of days
// itself, so that the times are those of the page. Then what a key costs in a long draft, which the device keeps, too.

const entries = 10_000
const rounds = 5
const person = { email: 'ana@example.org', password: 'a long passcode' }
const text = 'Rain in the morning, and a letter from the coast that I read twice. '.repeat(9)
const today = new Date().toISOString().slice(0, 10)
const days = Array.from({ length: entries }, (_, n) => ({
  entry_date: addDays(today, n - entries),
  content: `Day ${n}. ${text}`,
  updated_at: '2025-06-10T08:00:00.000Z',
}))

// These run in the page, for whose globals this project has no types.
/** Notes each time in which the page could not run a task for longer than 16 ms. */
const watchGaps = `{
  globalThis.gaps = []
  const { port1, port2 } = new MessageChannel()
  let last = performance.now()
  port1.onmessage = () => {
    const now = performance.now()
    if (now - last > 16) gaps.push({ at: last, ms: now - last })
    last = now
    setTimeout(() => port2.postMessage(0))
  }
  port2.postMessage(0)
}`
const countRows = `(async () => {
  const { indexedDB: kept } = await navigator.storageBuckets.open('kept')
  const names = (await kept.databases()).map(({ name }) => name)
  if (!names.includes('zimmer')) return 0
  return new Promise((resolve) => {
    const opening = kept.open('zimmer')
    opening.onsuccess = () => {
      const counting = opening.result.transaction('days').objectStore('days').count()
      counting.onsuccess = () => {
        opening.result.close()
        resolve(counting.result)
      }
    }
  })
})()`

/** The time of each of 300 keys at the end of the draft, until React has rendered. */
const typeKeys = `(() => {
  const area = document.activeElement
  area.setSelectionRange(area.value.length, area.value.length)
  return Array.from({ length: 300 }, () => {
    const start = performance.now()
    document.execCommand('insertText', false, 'a')
    return performance.now() - start
  })
})()`

await withInstance(async ({ url, client }) => {
  const ana = client()
  await ana.does(register, { input: { ...person, firstName: 'Ana', lastName: 'Lima' } })
  const browser = await launchChromium()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript({ content: watchGaps })
  const answer = `[${days.map((day) => JSON.stringify(day)).join('\n,')}]`
  await context.route(`${url}/api/diary`, (route) =>
    route.fulfill({ body: answer, contentType: 'application/json' }),
  )
  await context.request.post(url + login.path, { data: person })

  const page = await context.newPage()
  await page.goto(`${url}/diary`)
  while ((await page.evaluate<number>(countRows)) === 0) await page.waitForTimeout(20)
  const start = performance.now()
  await page.evaluate('gaps.length = 0')
  while ((await page.evaluate<number>(countRows)) < entries) await page.waitForTimeout(50)
  const written = performance.now() - start
  const whileWriting = await longestGap(page)
  await page.waitForTimeout(1000)

  await page.goto(`${url}/write`)
  const draft = page.getByRole('main').locator('textarea')
  await draft.fill('It rained all night on the roof of the old station. \n'.repeat(950).slice(0, 49_000))
  await page.waitForTimeout(2000)
  const keys = await page.evaluate<number[]>(typeKeys)
  await page.waitForTimeout(2000)
  await page.evaluate('gaps.length = 0')
  await page.keyboard.type('a'.repeat(300), { delay: 30 })
  const whileTyping = await longestGap(page)
  await page.close()

  await takeNetwork(context)
  const about = await openedOften(context, `${url}/about`, 'h1')
  const paper = await openedOften(context, `${url}/diary?view=paper`, '.paper-entry')
  const writing = await openedOften(context, `${url}/diary`, 'textarea:not([readonly])')
  await browser.close()
  printTable(`What a device keeps of a diary of ${entries} days`, [
    fact('all days written, while the page also shows them', `${(written / 1000).toFixed(1)} s`),
    fact('longest block of the page meanwhile', `${whileWriting.toFixed(0)} ms`),
    atMost('a key in a draft of 50,000 characters, p50', quantile(keys, 0.5), 16, 'ms'),
    fact(
      'the same, p99 and the longest',
      `${quantile(keys, 0.99).toFixed(1)} and ${Math.max(...keys).toFixed(1)} ms`,
    ),
    fact('longest block of the page while it is typed there by hand', `${whileTyping.toFixed(0)} ms`),
    fact('without a network: a page without data (`/about`)', `${about.toFixed(0)} ms`),
    fact('without a network: the sheet of today can be written on', `${writing.toFixed(0)} ms`),
    fact('without a network: the newest day on paper, of all days', `${paper.toFixed(0)} ms`),
  ])
})

async function longestGap(page: Page) {
  const gaps = await page.evaluate<{ at: number; ms: number }[]>('gaps')
  if (process.env['BENCH_DETAILS']) console.log(gaps)
  return Math.max(0, ...gaps.map(({ ms }) => ms))
}

/** The time until an element is there, the median of some visits. */
async function openedOften(context: BrowserContext, address: string, sight: string) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    const page = await context.newPage()
    const start = performance.now()
    await page.goto(address)
    await page.locator(sight).first().waitFor()
    times.push(performance.now() - start)
    await page.close()
  }
  return median(times)
}
