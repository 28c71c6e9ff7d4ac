import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { dropSchemas } from './vite.config.ts'

export default defineConfig({
  test: {
    // Tests wait for their database half of the time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'contract',
          include: ['contract/**/*.test.ts', 'scripts/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/testing/global-setup.ts'],
          // The modules of the server keep no state between apps, so a worker loads them once for all its files.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [dropSchemas()],
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // A worker loads the modules and the libraries once for all its files.
          isolate: false,
          setupFiles: ['scripts/testing/patience.ts'],
          css: { include: /(accents|tokens)\.css/ },
          testTimeout: 20_000,
        },
      },
    ],
  },
})
