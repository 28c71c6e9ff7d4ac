import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext } from '@playwright/test'
import { login } from '#contract/account/endpoints.ts'
import { pagePaths } from '#contract/app/pages.ts'
import { launchChromium } from '../scripts/testing/chromium.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import { withSamples } from './page-instance.ts'
import { atMost, fact, type Figure, printTable } from './table.ts'

const limitsKb = { firstPage: 110, route: 60, css: 20, fonts: 70 }
const built = join(import.meta.dirname, '../dist/web')

const browser = await launchChromium()
try {
  await withSamples(async (url) => {
    const onboarding = await assetsOf(browser, url)
    const feed = await assetsOf(browser, `${url}/dashboard`)
    const figures = [...firstPage('/ without a session', onboarding), ...firstPage('feed', feed)]
    // The frame of a person with an account, such as the menu, belongs to no page.
    const signedIn = await assetsOf(browser, url, asAdmin)
    figures.push(
      fact('feed of an admin: all JavaScript, gz', `${kilobytes(signedIn.all, '.js').toFixed(1)} KB`),
    )
    for (const route of pagePaths.slice(2)) {
      const more = (await assetsOf(browser, `${url}${route}`, asAdmin)).all.difference(signedIn.all)
      figures.push(
        atMost(`${route}: JavaScript of its own, gz`, kilobytes(more, '.js'), limitsKb.route, 'KB'),
      )
    }
    printTable('Weight of the pages', figures)
  })
} finally {
  await browser.close()
}

async function asAdmin({ request }: BrowserContext) {
  await request.post(login.path, { data: administrator })
}

interface Assets {
  all: Set<string>
  /** Requested before the first paint. */
  beforePaint: Set<string>
}

function firstPage(name: string, { all, beforePaint }: Assets): Figure[] {
  return [
    atMost(`${name}: all JavaScript, gz`, kilobytes(all, '.js'), limitsKb.firstPage, 'KB'),
    fact(
      `${name}: JavaScript asked for before the first paint, gz`,
      `${kilobytes(beforePaint, '.js').toFixed(1)} KB`,
    ),
    atMost(`${name}: CSS, gz`, kilobytes(all, '.css'), limitsKb.css, 'KB'),
    atMost(`${name}: fonts before the first paint`, kilobytes(beforePaint, '.woff2'), limitsKb.fonts, 'KB'),
  ]
}

/** Records what the page requests until nothing more arrives. */
async function assetsOf(
  browser: Browser,
  url: string,
  as: (context: BrowserContext) => Promise<void> = async () => {},
): Promise<Assets> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  await as(context)
  const page = await context.newPage()
  const all = new Set<string>()
  page.on('request', (request) => all.add(new URL(request.url()).pathname))
  const answer = await page.goto(url, { waitUntil: 'networkidle' })
  if (!answer?.ok()) throw new Error('The page is not built: npm run build')
  const early = await page.evaluate(() => {
    const paintedAt = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < paintedAt)
      .map(({ name }) => new URL(name).pathname)
  })
  await context.close()
  return { all, beforePaint: new Set(early) }
}

/** Fonts are compressed by their format. */
function kilobytes(paths: Set<string>, ending: string): number {
  const files = [...paths]
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(built, file)))
  const sizes = files.map((file) => (ending === '.woff2' ? file : gzipSync(file, { level: 9 })).length)
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}
