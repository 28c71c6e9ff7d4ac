import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Call this before a measurement, so that the garbage of earlier work does not count. It takes as long as several requests. */
export const collectGarbage = runInNewContext('gc') as () => void

/**
 * Measures the longest turn of this thread's event loop in CPU time, so that other work on the machine does not
 * count. The loop runs without a pause while it is watched.
 */
export function watchTurns(): { stop: () => number } {
  let longestMicros = 0
  let isWatching = true
  let last = cpuMicros()
  const turn = () => {
    const now = cpuMicros()
    longestMicros = Math.max(longestMicros, now - last)
    last = cpuMicros()
    if (isWatching) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    stop: () => {
      isWatching = false
      return Math.max(longestMicros, cpuMicros() - last) / 1000
    },
  }
}

/**
 * The longest turn of this thread's event loop during the work, in milliseconds of a machine of the usual speed. Work that takes too
 * long is tried again without the garbage of what ran before, four times at most.
 */
export async function longestTurnOf(work: () => unknown, limitMs: number): Promise<number> {
  let longestMs = Infinity
  for (let tries = 0; tries < 5 && longestMs > limitMs; tries++) {
    if (tries > 0) collectGarbage()
    const turns = watchTurns()
    await work()
    const ms = turns.stop()
    longestMs = Math.min(longestMs, ms > limitMs ? ms / slowness() : ms)
  }
  return longestMs
}

const text = 'A lamp, “a word” and ﬁve línes of ink. '.repeat(8000)
/** The time of `slowness` on a machine of the usual speed. */
const usualMs = 12

/** How many times slower than usual this machine is now, and at least 1: its processors may be shared with others. */
function slowness(): number {
  collectGarbage()
  const before = cpuMicros()
  for (const [word] of text.normalize('NFD').matchAll(/\p{L}+/gu)) word.toLowerCase()
  return Math.max(1, (cpuMicros() - before) / 1000 / usualMs)
}

function cpuMicros(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
