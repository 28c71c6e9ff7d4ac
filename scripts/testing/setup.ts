import { succeeds } from './command.ts'
import { allNeeds, installFromDebian, missingOf, packagesOf } from './needs.ts'

await installFromDebian(allNeeds)
// Playwright has a browser for more systems than apt, and does not need root.
if (missingOf(allNeeds).includes('chromium'))
  await succeeds('playwright', ['install', 'chromium-headless-shell'])

const missing = missingOf(allNeeds)
if (missing.length > 0) {
  console.error(
    `Not installed: ${missing.join(', ')}. Install them by hand; the Debian packages are ${packagesOf(missing).join(', ')}.`,
  )
  process.exitCode = 1
}
