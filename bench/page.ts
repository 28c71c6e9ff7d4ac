import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse, { desktopConfig } from 'lighthouse'
import { chromiumArguments, findChromium } from '../scripts/testing/chromium.ts'
import { withSamples } from './page-instance.ts'
import { atLeast, atMost, fact, type Figure, median, printTable } from './table.ts'

const rounds = 5
const categories = ['performance', 'accessibility', 'best-practices'] as const
const views = [
  { view: 'desktop', config: desktopConfig, performance: 98 },
  { view: 'mobile', config: undefined, performance: 85 },
]
const pages = [
  { name: '/ without a session', isBrowsing: false },
  { name: 'feed', isBrowsing: true },
]

await withSamples(async (url) => {
  const figures: Figure[] = []
  for (const { name, isBrowsing } of pages) {
    for (const { view, config, performance } of views) {
      const runs: Awaited<ReturnType<typeof look>>[] = []
      for (let round = 0; round < rounds; round++) runs.push(await look(url, isBrowsing, config))
      const of = (figure: keyof (typeof runs)[number]) => median(runs.map((run) => run[figure]))
      const title = `${name}, ${view}`
      figures.push(
        atLeast(`${title}: performance`, of('performance'), performance, 0),
        atLeast(`${title}: accessibility`, of('accessibility'), 100, 0),
        atLeast(`${title}: best practices`, of('best-practices'), 100, 0),
        atMost(`${title}: layout shift`, of('shift'), 0, '', 3),
        fact(
          `${title}: largest paint and blocking time`,
          `${of('paintMs').toFixed(0)} and ${of('blockedMs').toFixed(0)} ms`,
        ),
        fact(`${title}: benchmarkIndex`, of('benchmarkIndex').toFixed(0)),
      )
    }
  }
  printTable(`Lighthouse, median of ${rounds}`, figures)
})

/** Measures once, in a browser of its own, so that no cache of an earlier run is used. */
async function look(url: string, isBrowsing: boolean, config: typeof desktopConfig | undefined) {
  const profile = await mkdtemp(join(tmpdir(), 'zimmer-bench-'))
  const port = await freePort()
  const path = findChromium()?.path
  const browser = await chromium.launchPersistentContext(profile, {
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
    viewport: null,
    ...(path !== undefined && { executablePath: path }),
  })
  try {
    // Lighthouse opens another tab, which has no session either.
    if (isBrowsing) await browser.addInitScript(() => sessionStorage.setItem('browsing', 'true'))
    const result = await lighthouse(url, { port, onlyCategories: [...categories], logLevel: 'error' }, config)
    if (result === undefined) throw new Error('Lighthouse returned no result.')
    const { lhr } = result
    const value = (audit: string) => lhr.audits[audit]?.numericValue ?? NaN
    const score = (category: (typeof categories)[number]) =>
      Math.round((lhr.categories[category]?.score ?? NaN) * 100)
    for (const category of categories.slice(1)) {
      for (const { id } of lhr.categories[category]?.auditRefs ?? []) {
        const { score: ofAudit, title } = lhr.audits[id]!
        if (ofAudit !== null && ofAudit < 1) console.error(`${category}: ${title}`)
      }
    }
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      shift: value('cumulative-layout-shift'),
      paintMs: value('largest-contentful-paint'),
      blockedMs: value('total-blocking-time'),
      benchmarkIndex: lhr.environment.benchmarkIndex,
    }
  } finally {
    await browser.close()
    await rm(profile, { recursive: true, force: true })
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
