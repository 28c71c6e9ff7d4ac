import type { Browser, Page } from '@playwright/test'
import { register } from '#contract/account/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { withInstance } from './instance.ts'
import { atMost, fact, median, printTable } from './table.ts'

// Measures keys in a long day of the diary, from the key to the painted frame, with the processor slowed four times.

const slowdown = 4
const limitMs = 50
const places = ['at the end', 'in the middle'] as const
type Place = (typeof places)[number]
type Cookies = { name: string; value: string; url: string }[]
const keys = 60
const warmUpKeys = 10
/** As of a person who types fast. */
const betweenKeysMs = 120
const person = { email: 'ana@example.org', password: 'a long passcode' }
const sentence =
  'Rain in the morning, and a letter from the coast that I read twice before the lamp was lit. '
const long = sentence.repeat(50_000 / sentence.length)
const days = [
  { name: '50,000 characters in 100 paragraphs', day: '2026-01-02', content: inParagraphs(100) },
  { name: '50,000 characters in one paragraph', day: '2026-01-03', content: long },
]

function inParagraphs(count: number) {
  const length = Math.floor(long.length / count)
  return Array.from({ length: count }, (_, n) => long.slice(n * length, (n + 1) * length - 2)).join('\n\n')
}

// This runs in the page, for whose globals this project has no types.
/** Adds to `took` the milliseconds from each key to the end of the next frame, its styles, layout and paint included. */
const watchKeys = `globalThis.took = []
addEventListener('keydown', ({ timeStamp }) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => took.push(performance.now() - timeStamp)
  requestAnimationFrame(() => port2.postMessage(0))
}, { capture: true })`

await withInstance(async ({ url, client }) => {
  const ana = client()
  await ana.does(register, { input: { ...person, firstName: 'Ana', lastName: 'Lima' } })
  for (const { day, content } of days) await ana.does(saveDiaryEntry, { input: { date: day, content } })
  const browser = await launchChromium()
  try {
    const cookies = ana.cookies.map(([name, value]) => ({ name, value, url }))
    for (const { name, day } of days) {
      const figures = []
      for (const place of places) {
        const took = await typeInDay(browser, cookies, `${url}/diary?day=${day}`, place)
        figures.push(
          atMost(`a key ${place}: median`, median(took), limitMs, 'ms'),
          fact(`a key ${place}: the longest`, `${Math.max(...took).toFixed(0)} ms`),
        )
      }
      printTable(`A day of ${name}, ${keys} keys at a processor slowed ${slowdown}x`, figures)
    }
  } finally {
    await browser.close()
  }
})

/** In a fresh browser: the day of another one would open with what was typed there. */
async function typeInDay(browser: Browser, cookies: Cookies, address: string, place: Place) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addCookies(cookies)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await page.goto(address)
  await page.getByRole('button', { name: 'Edit Entry' }).click()
  const sheet = page.getByRole('main').locator('textarea:not([readonly]):not([aria-busy="true"])')
  const { length } = await sheet.inputValue()
  if (length < long.length / 2) throw new Error(`${address} shows ${length} characters.`)
  await sheet.focus()
  await sheet.evaluate(
    `(sheet, share) => sheet.setSelectionRange(sheet.value.length * share, sheet.value.length * share)`,
    place === 'at the end' ? 1 : 0.5,
  )
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.evaluate(watchKeys)
  await type(page, warmUpKeys)
  await page.evaluate('took.length = 0')
  await type(page, keys)
  const took = await page.evaluate<number[]>('took')
  await context.close()
  return took
}

async function type(page: Page, count: number) {
  await page.keyboard.type('a line of it '.repeat(count).slice(0, count), { delay: betweenKeysMs })
  await page.waitForTimeout(2000)
}
