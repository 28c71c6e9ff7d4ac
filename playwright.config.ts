import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './scripts/testing/chromium.ts'
import { timeZone } from './scripts/testing/running-server.ts'
import { overTwoProcesses } from './scripts/testing/servers.ts'

const path = findChromium()?.path

/** Without a GPU, which the browser would emulate, and without more processes for a tab than its only site needs. */
const withLessWork = ['--disable-gpu', '--disable-software-rasterizer', '--disable-site-isolation-trials']

/** The longest journeys begin first. Otherwise the other workers are idle at the end while one runs such a journey. */
const longest = '**/{story,keystrokes,live}.e2e.ts'

export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'longest', testMatch: longest },
    { name: 'others', testMatch: '**/*.e2e.ts', testIgnore: longest },
  ],
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  // More than there are cores, because a journey waits for a part of its time.
  workers: 3,
  // A journey takes seconds. On a machine with other work it may take ten times as long.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    browserName: 'chromium',
    // The certificate of nginx is one of the test.
    ignoreHTTPSErrors: overTwoProcesses,
    locale: 'en-GB',
    timezoneId: timeZone,
    // A worker would store 260 files for each new browser, and answer requests that a test means to refuse. The files that
    // test the worker allow it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Without the film of each test and without a copy of the page at each step, which cost more than the rest of the
    // trace. The last picture is kept as well. `--trace retain-on-failure` records both; so does the repetition of a file.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    launchOptions: {
      // A host that the browser trusts as little as one of a home network: neither localhost nor https.
      args: [...chromiumArguments, ...withLessWork, '--host-resolver-rules=MAP zimmer.test 127.0.0.1'],
      ...(path === undefined ? {} : { executablePath: path }),
    },
  },
})
