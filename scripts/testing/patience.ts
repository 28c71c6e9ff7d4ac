import { configure } from '@testing-library/react'

// On a loaded machine a change may take longer than the default of one second.
configure({ asyncUtilTimeout: 10_000 })

// The worker may have run another file in the same window. Tests of pure code have no window.
if ('document' in globalThis) {
  localStorage.clear()
  sessionStorage.clear()
}
