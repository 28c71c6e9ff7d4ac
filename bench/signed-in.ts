import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { login } from '#contract/account/endpoints.ts'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import { withSamples } from './page-instance.ts'
import { atMost, type Figure, median, printTable } from './table.ts'

const rounds = 5
const paths = ['/dashboard', '/diary', '/calendar', '/messages', '/zimmers', '/write', '/settings', '/admin']
const built = join(import.meta.dirname, '../dist/web')

const browser = await launchChromium()
try {
  await withSamples(async (url) => {
    // The first page warms the browser up.
    await look(browser, url, '/about', 1)
    const figures: Figure[] = []
    for (const path of paths) {
      const seen: Awaited<ReturnType<typeof look>>[] = []
      for (let round = 0; round < rounds; round++) seen.push(await look(browser, url, path, 1))
      const slow: number[] = []
      for (let round = 0; round < rounds; round++) slow.push((await look(browser, url, path, 4)).paintMs)
      const of = (figure: keyof (typeof seen)[number]) => median(seen.map((one) => one[figure]))
      figures.push(
        atMost(`${path}: first paint`, of('paintMs'), 300, 'ms', 0),
        atMost(`${path}: first paint with a processor four times slower`, median(slow), 800, 'ms', 0),
        atMost(`${path}: scripts`, of('scripts'), 25, '', 0),
        atMost(`${path}: JavaScript, gz`, of('scriptKb'), 170, 'KB', 0),
      )
    }
    printTable(`Pages of a person with an account, empty cache, median of ${rounds}`, figures)
  })
} finally {
  await browser.close()
}

async function look(browser: Browser, url: string, path: string, slower: number) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  await context.request.post(login.path, { data: administrator })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const scripts = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname)
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  const paintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  )
  await context.close()
  return { paintMs, scripts: scripts.size, scriptKb: kilobytesOf(scripts) }
}

function kilobytesOf(paths: Set<string>): number {
  const sizes = [...paths].map((path) => gzipSync(readFileSync(join(built, path)), { level: 9 }).length)
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}
