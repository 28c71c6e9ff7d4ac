import { existsSync, readFileSync } from 'node:fs'

/** True for a running process, but not for a zombie, which has ended and waits for its parent. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process runs under another account.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const state = statFields(pid)?.[0]
  return state !== 'Z' && state !== 'X'
}

/**
 * The start time of the process in ticks of the kernel. It distinguishes processes that have the same process id one
 * after the other. Undefined where the system has no such file.
 */
export function startOf(pid: number): string | undefined {
  const startedAt = statFields(pid)?.[startField]
  return startedAt === undefined ? undefined : `${bootId()} ${startedAt}`
}

/** True when the process that read its /proc/self/stat has the same process id here, so it is in this container. */
export function isInThisContainer(pid: number, selfStat: string): boolean {
  return fieldsOf(selfStat)[startField] === statFields(pid)?.[startField]
}

/** True when the process was started with this argument. Undefined where the system does not show it. */
export function wasStartedWith(pid: number, argument: string): boolean | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument)
  } catch {
    return false
  }
}

/**
 * True when the process started at this time of the clock, in seconds. False where the system does not show it, and when
 * the clock has been set since then.
 */
export function wasStartedAt(pid: number, seconds: number): boolean {
  const ticks = Number(statFields(pid)?.[startField]) - Number(statFields(process.pid)?.[startField])
  const ownStart = Date.now() / 1000 - process.uptime()
  return Math.abs(ownStart + ticks / ticksPerSecond - seconds) < toleranceSeconds
}

/** The unit of the start times in /proc on Linux. */
const ticksPerSecond = 100
const toleranceSeconds = 10

const startField = 19

function statFields(pid: number) {
  try {
    return fieldsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

/** The fields of /proc/PID/stat after the name, which may itself contain spaces and brackets. */
function fieldsOf(stat: string) {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function bootId() {
  const file = '/proc/sys/kernel/random/boot_id'
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}
