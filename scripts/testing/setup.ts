import { succeeds } from './command.ts'
import { allNeeds, failoverNeeds, installFromDebian, missingOf, packagesOf } from './needs.ts'

// `npm run setup -- failover` installs what `npm run faults:failover` needs.
const wanted = process.argv.includes('failover') ? failoverNeeds : allNeeds
await installFromDebian(wanted)
// Playwright has a browser for more systems than apt, and does not need root.
if (missingOf(wanted).includes('chromium'))
  await succeeds('playwright', ['install', 'chromium-headless-shell'])

const missing = missingOf(wanted)
if (missing.length > 0) {
  console.error(
    `Not installed: ${missing.join(', ')}. Install them by hand; the Debian packages are ${packagesOf(missing).join(', ')}.`,
  )
  process.exitCode = 1
}
