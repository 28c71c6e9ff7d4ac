import { monitorEventLoopDelay } from 'node:perf_hooks'

const maxInWork = 500
const maxDelayMs = 200
const sampleMs = 500

/** Watches how busy the process is (R14). */
export function watchLoad() {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  let isSlow = false
  let inWork = 0
  const timer = setInterval(() => {
    // Over 200 ms on average of the last half second: one long block alone is no overload.
    isSlow = delay.mean / 1e6 > maxDelayMs
    delay.reset()
  }, sampleMs)
  timer.unref()
  return {
    begin: () => void inWork++,
    end: () => void inWork--,
    get isOverloaded() {
      return isSlow || inWork > maxInWork
    },
    stop: () => {
      clearInterval(timer)
      delay.disable()
    },
  }
}
