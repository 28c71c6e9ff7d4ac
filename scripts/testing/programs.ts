import { spawnSync } from 'node:child_process'

/** Debian installs servers here; only the path of root contains these folders. */
export const programEnvironment = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` }

export const isInstalled = (program: string, question = '-v'): boolean =>
  spawnSync(program, [question], { env: programEnvironment }).error === undefined
