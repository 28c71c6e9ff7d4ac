import type { Browser, CDPSession, Page } from '@playwright/test'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { articleOf, withSamples } from './page-instance.ts'
import { atMost, type Figure, median, printTable } from './table.ts'

const rounds = 9
const limitsMs = { cold: 300, second: 200, slowText: 800, slowBlocked: 300 }
const slowdown = 4

const browser = await launchChromium()
try {
  await withSamples(async (url) => {
    const figures: Figure[] = []
    const pages = { door: '/', feed: '/dashboard', article: await articleOf(url) }
    for (const [name, address] of Object.entries(pages)) {
      const runs: Awaited<ReturnType<typeof look>>[] = []
      for (let round = 0; round < rounds; round++) runs.push(await look(browser, `${url}${address}`))
      const of = (figure: keyof (typeof runs)[number]) => median(runs.map((run) => run[figure]))
      figures.push(
        atMost(`${name}: largest paint, first visit`, of('cold'), limitsMs.cold, 'ms', 0),
        atMost(`${name}: largest paint, second visit`, of('second'), limitsMs.second, 'ms', 0),
        atMost(`${name}: text, processor slowed 4x`, of('slowText'), limitsMs.slowText, 'ms', 0),
        atMost(`${name}: blocked, processor slowed 4x`, of('slowBlocked'), limitsMs.slowBlocked, 'ms', 0),
      )
    }
    printTable(`Opening a page over loopback, median of ${rounds}`, figures)
  })
} finally {
  await browser.close()
}

async function look(browser: Browser, address: string) {
  const cold = await openNew(browser, address, 1, true)
  const slow = await openNew(browser, address, slowdown, false)
  return {
    cold: cold.first.paintMs,
    second: cold.second!.paintMs,
    slowText: slow.first.paintMs,
    slowBlocked: slow.first.blockedMs,
  }
}

/** Opens a page in a new profile, and a second time in the same one. */
async function openNew(browser: Browser, address: string, rate: number, isTwice: boolean) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const protocol: CDPSession = await context.newCDPSession(page)
  await protocol.send('Emulation.setCPUThrottlingRate', { rate })
  try {
    const first = await measure(page, address)
    return { first, second: isTwice ? await measure(page, address) : undefined }
  } finally {
    await context.close()
  }
}

/** Long tasks count with what they take beyond 50 ms. */
async function measure(page: Page, address: string) {
  await page.goto(address, { waitUntil: 'networkidle' })
  return page.evaluate(
    () =>
      new Promise<{ paintMs: number; blockedMs: number }>((resolve) => {
        let paintMs = NaN
        let blockedMs = 0
        const observe = (type: string, take: (entry: PerformanceEntry) => void) =>
          // The types of Node know fewer entries than a browser.
          new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
            type: type as 'resource',
            buffered: true,
          })
        observe('largest-contentful-paint', ({ startTime }) => (paintMs = startTime))
        observe('longtask', ({ duration }) => (blockedMs += duration - 50))
        // Buffered entries are delivered in a task of their own.
        setTimeout(() => resolve({ paintMs, blockedMs }), 100)
      }),
  )
}
