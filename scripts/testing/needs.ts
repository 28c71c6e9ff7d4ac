import { existsSync } from 'node:fs'
import { findChromium } from './chromium.ts'
import { succeeds } from './command.ts'
import { findServerPrograms } from './postgres.ts'
import { isInstalled } from './programs.ts'

/** Programs that some suites need, and their Debian packages. */
const needs = {
  chromium: { debian: 'chromium', isThere: () => findChromium() !== undefined },
  postgres: { debian: 'postgresql', isThere: () => findServerPrograms() !== undefined },
  pdftotext: { debian: 'poppler-utils', isThere: () => isInstalled('pdftotext') },
  'redis-server': { debian: 'redis-server', isThere: () => isInstalled('redis-server') },
  nginx: { debian: 'nginx-light', isThere: () => isInstalled('nginx') },
  pgbouncer: { debian: 'pgbouncer', isThere: () => isInstalled('pgbouncer') },
  faketime: { debian: 'faketime', isThere: () => isInstalled('faketime') },
}

export type Need = keyof typeof needs
export const allNeeds = Object.keys(needs) as Need[]

const missingOf = (wanted: Need[]) => wanted.filter((need) => !needs[need].isThere())

/** Provides the programs of a suite. Returns a sentence when one is missing. */
export async function provide(wanted: Need[]): Promise<string | undefined> {
  const missing = missingOf(wanted)
  const step = stepFor(missing, process.env)
  if (step === 'run') return undefined
  return step === 'install' ? install(missing) : step.fail
}

/** A test run installs programs on the machine of a CI only. Elsewhere its suite fails and names the command. */
export function stepFor(
  missing: Need[],
  { CI }: { CI?: string | undefined },
): 'run' | 'install' | { fail: string } {
  if (missing.length === 0) return 'run'
  if (CI === 'true') return 'install'
  return { fail: `Missing: ${missing.join(', ')}. To install, run: npm run setup` }
}

/** Installs the missing programs. Returns a sentence about those that are missing still. */
export async function install(wanted: Need[]): Promise<string | undefined> {
  // Playwright has a browser for more systems than apt, and does not need root.
  if (missingOf(wanted).includes('chromium'))
    await succeeds('playwright', ['install', 'chromium-headless-shell'])
  const machine = { isRoot: process.getuid?.() === 0, hasApt: existsSync('/usr/bin/apt-get') }
  for (const [program, ...args] of aptCommands(missingOf(wanted), machine)) await succeeds(program, args)
  const missing = missingOf(wanted)
  if (missing.length === 0) return undefined
  return `Not installed: ${missing.join(', ')}. Install them by hand; the Debian packages are ${packagesOf(missing).join(', ')}.`
}

/** The commands that install these programs on Debian. */
export function aptCommands(
  missing: Need[],
  { isRoot, hasApt }: { isRoot: boolean; hasApt: boolean },
): [string, ...string[]][] {
  if (!hasApt || missing.length === 0) return []
  // In the run level of a rescue system the packages do not start their services.
  const asRoot = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'apt-get'] as const
  const apt = isRoot ? asRoot : (['sudo', ...asRoot] as const)
  return [
    [...apt, 'update', '-qq'],
    [...apt, 'install', '-yqq', '--no-install-recommends', ...packagesOf(missing)],
  ]
}

const packagesOf = (missing: Need[]) => missing.map((need) => needs[need].debian)
