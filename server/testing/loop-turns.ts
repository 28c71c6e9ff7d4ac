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

function cpuMicros(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
