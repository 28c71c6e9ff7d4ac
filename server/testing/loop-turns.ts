import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/**
 * Measures the longest turn of this thread's event loop in CPU time, so that other work on the machine does not
 * count. The garbage of what the test did before does not count either: it is collected first. The loop runs without a
 * pause while it is watched.
 */
export function watchTurns(): { stop: () => number } {
  collectGarbage()
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
