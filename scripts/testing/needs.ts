import { findChromium } from './chromium.ts'
import { succeeds } from './command.ts'
import { findServerPrograms } from './postgres.ts'
import { isInstalled } from './programs.ts'

/** Programs that some suites need, and their Debian packages. */
const needs = {
  chromium: { debian: 'chromium-headless-shell', isThere: () => findChromium() !== undefined },
  postgres: { debian: 'postgresql', isThere: () => findServerPrograms() !== undefined },
  pdftotext: { debian: 'poppler-utils', isThere: () => isInstalled('pdftotext') },
  'redis-server': { debian: 'redis-server', isThere: () => isInstalled('redis-server') },
  nginx: { debian: 'nginx-light', isThere: () => isInstalled('nginx') },
  pgbouncer: { debian: 'pgbouncer', isThere: () => isInstalled('pgbouncer') },
  faketime: { debian: 'faketime', isThere: () => isInstalled('faketime') },
  patroni: { debian: 'patroni python3-etcd', isThere: () => isInstalled('patroni', '--version') },
  // `etcd -v` would start it.
  etcd: { debian: 'etcd-server', isThere: () => isInstalled('etcd', '--version') },
  haproxy: { debian: 'haproxy', isThere: () => isInstalled('haproxy') },
}

export type Need = keyof typeof needs
/** The programs of `npm run faults:failover`. No suite needs them. */
export const failoverNeeds: Need[] = ['postgres', 'patroni', 'etcd', 'haproxy']
export const allNeeds = (Object.keys(needs) as Need[]).filter(
  (need) => need === 'postgres' || !failoverNeeds.includes(need),
)

export const missingOf = (wanted: Need[]) => wanted.filter((need) => !needs[need].isThere())

/** A sentence about the programs of a suite that are missing. */
export function problemOf(wanted: Need[], setup = 'npm run setup'): string | undefined {
  const missing = missingOf(wanted)
  return missing.length === 0 ? undefined : `Missing: ${missing.join(', ')}. To install, run: ${setup}`
}

/** Provides the programs of the suites, unless that is not wanted. Says what is missing and what is done. */
export async function provide(wanted: Need[], { mayInstall }: { mayInstall: boolean }): Promise<void> {
  const missing = missingOf(wanted)
  if (missing.length > 0 && mayInstall && machine().hasApt) {
    console.log(
      `Missing: ${missing.join(', ')}. Installing the Debian packages ${packagesOf(missing).join(', ')} …`,
    )
    await installFromDebian(missing)
  }
  const problem = problemOf(wanted)
  if (problem !== undefined) console.error(problem)
}

export async function installFromDebian(wanted: Need[]): Promise<void> {
  for (const [program, ...args] of aptCommands(missingOf(wanted), machine()))
    if (!(await succeeds(program, args))) return
}

const machine = () => ({ isRoot: process.getuid?.() === 0, hasApt: isInstalled('apt-get') })

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

export const packagesOf = (missing: Need[]) => missing.flatMap((need) => needs[need].debian.split(' '))
