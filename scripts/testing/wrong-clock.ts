import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Settings } from './running-server.ts'

/** The path of Debian's libfaketime, where it is installed. */
const library = findLibrary()
export const wrongClockIsMissing = library === undefined

/** Settings for a server process whose host clock is wrong by an offset such as `+1h`, and a function that steps it. */
export async function wrongClock(offset: string): Promise<{ settings: Settings; step(to: string): void }> {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-clock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'offset')
  const step = (to: string) => writeFileSync(file, to)
  step(offset)
  const settings = {
    LD_PRELOAD: library!,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // A real step of the clock does not change monotonic time.
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { settings, step }
}

function findLibrary(): string | undefined {
  const root = '/usr/lib'
  const paths = existsSync(root)
    ? readdirSync(root).map((name) => join(root, name, 'faketime/libfaketime.so.1'))
    : []
  return paths.find((path) => existsSync(path))
}
