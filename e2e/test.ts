import { expect, test as base } from '@playwright/test'
import type { BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from '@playwright/test'
import type { Settings } from '../scripts/testing/running-server.ts'
import { overTwoProcesses } from '../scripts/testing/servers.ts'
import { startApp } from './app.ts'
import type { App } from './app.ts'

export { expect }
export type { App, Person } from './app.ts'
export { asAdmin, asGuest, asVisitor, bar, shareSession, signIn } from './people.ts'

export interface TestFixtures {
  /** Errors that browsers reported during the test: of scripts, of the console, and violated policies. */
  complaints: { seen: string[]; forgiven: RegExp[] }
  /** Allows an error that the test itself causes. */
  forgive: (complaint: RegExp) => void
  /** Opens another browser, with its own cookies and storage. */
  open: (options?: BrowserContextOptions) => Promise<Page>
}

export interface WorkerFixtures {
  /** Settings of the server, as in its environment: `test.use({ settings: { TEST_CLOCK: '…' } })`. */
  settings: Settings
  /** How many server processes the app has. */
  processes: 1 | 2
  /** A running server that the tests of one worker share. */
  app: App
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  settings: [{}, { option: true, scope: 'worker' }],
  processes: [overTwoProcesses ? 2 : 1, { option: true, scope: 'worker' }],
  app: [
    async ({ settings, processes }, run) => {
      const app = await startApp(settings, processes)
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
    context.on('page', waitForScripts)
    await run(context)
  },
  open: async ({ browser, complaints }, run) => {
    const opened: BrowserContext[] = []
    await run(async (options) => {
      const context = await browser.newContext(options)
      opened.push(context)
      await watch(context, complaints.seen)
      if (options?.javaScriptEnabled !== false) context.on('page', waitForScripts)
      return context.newPage()
    })
    for (const context of opened) await context.close()
  },
})

async function watch(context: BrowserContext, seen: string[]) {
  context.on('weberror', (error) => seen.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message) && !isAfterSession(message))
      seen.push(message.text())
  })
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      console.error(`securitypolicyviolation: ${effectiveDirective} ${blockedURI}`),
    ),
  )
}

/** Holds the requests of a page for these addresses back. The returned function lets them through, and all later ones. */
export async function holdRequests(page: Page, addresses: string | RegExp): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(addresses, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** A rendered page is visible before its scripts work. Tests wait until they work. */
function waitForScripts(page: Page) {
  const works = () => page.waitForFunction(() => document.documentElement.dataset['rendered'] !== 'true')
  const { goto, reload } = page
  page.goto = async (...sent) => {
    const answer = await goto.apply(page, sent)
    await works()
    return answer
  }
  page.reload = async (...sent) => {
    const answer = await reload.apply(page, sent)
    await works()
    return answer
  }
}

/** The browser logs every refused call as an error. Here it is none: each test checks what the page does after a refusal. */
function isRefusal(message: ConsoleMessage) {
  const { url } = message.location()
  const isExpected =
    url === message.page()?.url() || (URL.canParse(url) && new URL(url).pathname.startsWith('/api/'))
  return isExpected && /the server responded with a status of 4\d\d/.test(message.text())
}

/** The page logs each read in the background that the server refuses because the session has ended, at any moment after. */
const isAfterSession = (message: ConsoleMessage) => /^Failed to load \/api\/.*: 401\b/.test(message.text())
