import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { succeeds } from './command.ts'

/** Where Debian keeps servers, which only root has in its path. */
export const programEnvironment = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` }

/** Programs that some tests need, and the Debian packages that bring them. */
const packages = {
  pdftotext: 'poppler-utils',
  'redis-server': 'redis-server',
  nginx: 'nginx-light',
  faketime: 'faketime',
}

export type Program = keyof typeof packages

export const isInstalled = (program: Program): boolean =>
  spawnSync(program, ['-v'], { env: programEnvironment }).error === undefined

/** Fetches what is missing where that is possible; without it its tests are skipped. */
export async function provide(...programs: Program[]): Promise<void> {
  const missing = programs.filter((program) => !isInstalled(program)).map((program) => packages[program])
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log(`Installing ${missing.join(' and ')} …`)
  // The level of a machine in rescue: what is installed is not started.
  const environment = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  await succeeds('apt-get', ['update', '-qq'], environment)
  await succeeds('apt-get', ['install', '-yqq', '--no-install-recommends', ...missing], environment)
}
