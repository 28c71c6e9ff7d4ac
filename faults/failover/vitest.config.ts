import { defineConfig } from 'vitest/config'
import { rounds } from './rounds.ts'

const minute = 60_000

export default defineConfig({
  test: {
    name: 'failover',
    include: ['faults/failover/*.drill.ts'],
    globalSetup: ['faults/global-setup.ts'],
    // A failover is mostly waiting: for a lease that ends, and for a machine that catches up.
    testTimeout: 5 * minute + rounds * 4 * minute,
    hookTimeout: 3 * minute,
    fileParallelism: false,
  },
})
