import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './scripts/testing/chromium.ts'
import { timeZone } from './scripts/testing/running-server.ts'

const path = findChromium()?.path

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: timeZone,
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      // A host that the browser trusts as little as one of a home network: neither localhost nor https.
      args: [...chromiumArguments, '--host-resolver-rules=MAP zimmer.test 127.0.0.1'],
      ...(path === undefined ? {} : { executablePath: path }),
    },
  },
})
