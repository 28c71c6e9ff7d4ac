import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { dropSchemas } from './vite.config.ts'

/** On a loaded machine a change may take longer than the default of one second. */
const waiting = { expect: { poll: { timeout: 10_000 } } }

export default defineConfig({
  test: {
    // Tests wait for their database half of the time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...waiting,
          name: 'contract',
          include: ['contract/**/*.test.ts', 'scripts/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...waiting,
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/testing/global-setup.ts'],
          setupFiles: ['scripts/testing/wait-longer.ts'],
          // The modules of the server keep no state between apps, so a worker loads them once for all its files.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [dropSchemas()],
        test: {
          ...waiting,
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // A worker loads the modules and the libraries once for all its files.
          isolate: false,
          setupFiles: ['scripts/testing/wait-longer.ts', 'scripts/testing/patience.ts'],
          css: { include: /(accents|tokens)\.css/ },
          testTimeout: 20_000,
        },
      },
    ],
  },
})
