import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { withSamples } from './page-instance.ts'
import { atMost, fact, type Figure, median, printTable } from './table.ts'

const rounds = 9
const secondVisitMs = 150
const built = join(import.meta.dirname, '../dist/web')
const inKb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`
const gzipped = (file: string) => gzipSync(readFileSync(join(built, file)), { level: 9 }).length

// The types of Node know neither workers nor caches of a browser.
const waitForWorker = `(async () => {
  const { serviceWorker } = navigator
  while ((await serviceWorker.getRegistration()) === undefined)
    await new Promise((resolve) => setTimeout(resolve, 5))
  const start = performance.now()
  await serviceWorker.ready
  return performance.now() - start
})()`
const readCache = `(async () => {
  const cache = await caches.open((await caches.keys())[0])
  const requests = await cache.keys()
  const sizes = requests.map(async (request) => (await (await cache.match(request)).blob()).size)
  const files = requests.map(({ url }) => new URL(url).pathname)
  return { files, bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) }
})()`

const browser = await launchChromium()
try {
  await withSamples(async (url) => {
    const runs: Awaited<ReturnType<typeof visit>>[] = []
    for (let round = 0; round < rounds; round++) runs.push(await visit(browser, url))
    const { files, bytes } = runs[0]!
    const compressed = files.map((path) => gzipped(path === '/shell' ? 'index.html' : path))
    const of = (figure: 'installMs' | 'secondMs' | 'offlineMs' | 'offlineDiaryMs') =>
      median(runs.map((run) => run[figure]))
    const figures: Figure[] = [
      fact('the worker with its list, compressed', inKb(gzipped('sw.js'))),
      fact('the shell, compressed', inKb(gzipped('index.html'))),
      fact('stored files', String(files.length)),
      fact('stored bytes', inKb(bytes)),
      fact('stored bytes, compressed on the way', inKb(compressed.reduce((sum, each) => sum + each, 0))),
      fact('install, from its start', `${of('installMs').toFixed(0)} ms`),
      atMost('largest paint of the feed, second visit', of('secondMs'), secondVisitMs, 'ms', 0),
      fact('largest paint of the feed without a network', `${of('offlineMs').toFixed(0)} ms`),
      fact('largest paint of the diary without a network', `${of('offlineDiaryMs').toFixed(0)} ms`),
    ]
    printTable(`At home without a network, over loopback, median of ${rounds}`, figures)
  })
} finally {
  await browser.close()
}

/** Installs the worker in a new profile, and opens pages under it. */
async function visit(opened: Browser, url: string) {
  const context = await opened.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  try {
    await page.goto(`${url}/dashboard`)
    const installMs = await page.evaluate<number>(waitForWorker)
    const stored = await page.evaluate<{ files: string[]; bytes: number }>(readCache)
    const secondMs = await paintMs(page, `${url}/dashboard`)
    await context.setOffline(true)
    const offlineMs = await paintMs(page, `${url}/dashboard`)
    const offlineDiaryMs = await paintMs(page, `${url}/diary`)
    return { ...stored, installMs, secondMs, offlineMs, offlineDiaryMs }
  } finally {
    await context.close()
  }
}

async function paintMs(page: Page, address: string) {
  await page.goto(address)
  await page.waitForTimeout(1000)
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime)).observe({
          // The types of Node know fewer entries than a browser.
          type: 'largest-contentful-paint' as 'resource',
          buffered: true,
        })
      }),
  )
}
