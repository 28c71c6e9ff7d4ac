import { existsSync, readFileSync } from 'node:fs'

/** True for a process that runs; one that has ended but was not collected by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, under another account.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const state = statFields(pid)?.[0]
  return state !== 'Z' && state !== 'X'
}

/**
 * When the process started, in the kernel's own count: numbers are given again to other processes, and a
 * start time tells them apart. Undefined where the system has no such file.
 */
export function startOf(pid: number): string | undefined {
  const startedAt = statFields(pid)?.[19]
  return startedAt === undefined ? undefined : `${bootId()} ${startedAt}`
}

/** The fields of /proc/PID/stat after the name, which may itself hold spaces and brackets. */
function statFields(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function bootId() {
  const file = '/proc/sys/kernel/random/boot_id'
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}
