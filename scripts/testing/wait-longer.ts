import { vi } from 'vitest'

// On a loaded machine a change may take longer than the default of one second, for which vitest has no setting. A worker runs
// many files with the same `vi`.
const { waitFor } = vi
if (waitFor.name === 'waitFor')
  vi.waitFor = (callback, options) =>
    waitFor(callback, typeof options === 'number' ? options : { timeout: 10_000, ...options })
