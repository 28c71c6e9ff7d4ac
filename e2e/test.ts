import { expect, test as base } from '@playwright/test'
import type { BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from '@playwright/test'
import type { Settings } from '../scripts/testing/running-server.ts'
import { startApp } from './app.ts'
import type { App } from './app.ts'

export { expect }
export type { App, Person } from './app.ts'
export { asAdmin, asGuest, asVisitor, bar, signIn } from './people.ts'

interface TestFixtures {
  /** What browsers complained about in this test: errors of scripts and of the console, violated policies. */
  complaints: { seen: string[]; forgiven: RegExp[] }
  /** Lets a complaint pass that the test itself has provoked. */
  forgive: (complaint: RegExp) => void
  /** One more browser, of somebody else. */
  open: (options?: BrowserContextOptions) => Promise<Page>
}

interface WorkerFixtures {
  /** Settings of the server, as in its environment: `test.use({ settings: { TEST_CLOCK: '…' } })`. */
  settings: Settings
  /** A running server that the tests of one worker share. */
  app: App
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  settings: [{}, { option: true, scope: 'worker' }],
  app: [
    async ({ settings }, run) => {
      const app = await startApp(settings)
      await run(app)
      await app.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ app }, run) => run(app.url),
  complaints: async ({ app }, run, testInfo) => {
    const complaints: TestFixtures['complaints'] = { seen: [], forgiven: [] }
    await run(complaints)
    if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach('server', { body: app.output() })
    const { seen, forgiven } = complaints
    expect(seen.filter((text) => !forgiven.some((pattern) => pattern.test(text)))).toEqual([])
  },
  forgive: ({ complaints }, run) => run((complaint) => void complaints.forgiven.push(complaint)),
  context: async ({ context, complaints }, run) => {
    await watch(context, complaints.seen)
    await run(context)
  },
  open: async ({ browser, complaints }, run) => {
    const opened: BrowserContext[] = []
    await run(async (options) => {
      const context = await browser.newContext(options)
      opened.push(context)
      await watch(context, complaints.seen)
      return context.newPage()
    })
    for (const context of opened) await context.close()
  },
})

async function watch(context: BrowserContext, seen: string[]) {
  context.on('weberror', (error) => seen.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message)) seen.push(message.text())
  })
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.error(`securitypolicyviolation: ${effectiveDirective} ${blockedURI}`),
    ),
  )
}

/** The browser notes every refused call; whether the page takes a refusal well is for the test to say. */
function isRefusal(message: ConsoleMessage) {
  const { url } = message.location()
  const isExpected =
    url === message.page()?.url() || (URL.canParse(url) && new URL(url).pathname.startsWith('/api/'))
  return isExpected && /the server responded with a status of 4\d\d/.test(message.text())
}
