import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse, { desktopConfig } from 'lighthouse'
import { chromiumArguments, findChromium } from '../scripts/testing/chromium.ts'
import { articleOf, withSamples } from './page-instance.ts'
import { atLeast, atMost, fact, type Figure, median, printTable } from './table.ts'

const rounds = 5
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const views = [
  { view: 'desktop', config: desktopConfig, performance: 100 },
  { view: 'mobile', config: undefined, performance: 98, paintMs: 1500 },
]

await withSamples(async (url) => {
  const pages = { door: '/', feed: '/dashboard', article: await articleOf(url) }
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(pages)) {
    for (const { view, config, performance, paintMs } of views) {
      const runs: Awaited<ReturnType<typeof look>>[] = []
      for (let round = 0; round < rounds; round++) runs.push(await look(`${url}${path}`, config))
      const of = (figure: keyof (typeof runs)[number]) => median(runs.map((run) => run[figure]))
      const title = `${name}, ${view}`
      figures.push(
        atLeast(`${title}: performance`, of('performance'), performance, 0),
        atLeast(`${title}: accessibility`, of('accessibility'), 100, 0),
        atLeast(`${title}: best practices`, of('best-practices'), 100, 0),
        atLeast(`${title}: search engines`, of('seo'), 100, 0),
        atMost(`${title}: layout shift`, of('shift'), 0, '', 3),
        paintMs === undefined
          ? fact(`${title}: largest paint`, `${of('paintMs').toFixed(0)} ms`)
          : atMost(`${title}: largest paint`, of('paintMs'), paintMs, 'ms', 0),
        fact(`${title}: blocking time`, `${of('blockedMs').toFixed(0)} ms`),
        fact(`${title}: benchmarkIndex`, of('benchmarkIndex').toFixed(0)),
      )
    }
  }
  printTable(`Lighthouse, median of ${rounds}`, figures)
})

/** Measures once, in a browser of its own, so that no cache of an earlier run is used. */
async function look(url: string, config: typeof desktopConfig | undefined) {
  const profile = await mkdtemp(join(tmpdir(), 'zimmer-bench-'))
  const port = await freePort()
  const path = findChromium()?.path
  const browser = await chromium.launchPersistentContext(profile, {
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
    viewport: null,
    ...(path !== undefined && { executablePath: path }),
  })
  try {
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
      seo: score('seo'),
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
