import { defineConfig } from 'vitest/config'

/** These measure how long others wait beside an attack, so nothing may run beside them. */
const measuring = ['faults/overload.test.ts', 'faults/slow-callers.test.ts']

const shared = {
  globalSetup: ['faults/global-setup.ts'],
  testTimeout: 90_000 + 30_000 * Number(process.env.ROUNDS ?? '1'),
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'faults',
          include: ['faults/**/*.test.ts'],
          exclude: measuring,
          // A fault is mostly waiting: for a start, an end, a database that comes back.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'faults-alone',
          include: measuring,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
