import { readdirSync, readlinkSync } from 'node:fs'

/** The processes that work in a folder or below it. Postgres, Patroni and etcd never leave theirs. */
export const processesIn = (folder: string): number[] =>
  readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid)) return []
    const place = placeOf(pid)
    return place === folder || place?.startsWith(`${folder}/`) ? [pid] : []
  })

/** Sends the signal to every process in the folder, also to those that are started meanwhile. */
export function signalAll(folder: string, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  const signalled = new Set<number>()
  for (;;) {
    const others = processesIn(folder).filter((pid) => !signalled.has(pid))
    if (others.length === 0) return
    for (const pid of others) {
      signalled.add(pid)
      signalOne(pid, signal)
    }
  }
}

function signalOne(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Undefined for a process that has ended, or that belongs to somebody else. */
function placeOf(pid: number) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}
