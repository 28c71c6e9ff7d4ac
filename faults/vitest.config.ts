import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'faults',
    include: ['faults/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000 + 30_000 * Number(process.env.ROUNDS ?? '2'),
    hookTimeout: 60_000,
  },
})
