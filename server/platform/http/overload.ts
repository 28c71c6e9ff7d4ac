import { monitorEventLoopDelay } from 'node:perf_hooks'

const maxInWork = 500
const maxDelayMs = 200
const sampleMs = 500
/** So many samples in a row are no accident any more. */
const slowSamples = 3

type EventLoopDelay = Pick<ReturnType<typeof monitorEventLoopDelay>, 'mean' | 'enable' | 'disable' | 'reset'>

/** Watches how busy the process is (R14): how long its event loop stays away, and what is in work. */
export function watchLoad(delay: EventLoopDelay = monitorEventLoopDelay({ resolution: 10 })) {
  delay.enable()
  let slow = 0
  let inWork = 0
  const timer = setInterval(() => {
    slow = delay.mean / 1e6 > maxDelayMs ? slow + 1 : 0
    delay.reset()
  }, sampleMs)
  timer.unref()
  return {
    begin: () => void inWork++,
    end: () => void inWork--,
    get isOverloaded() {
      return slow >= slowSamples || inWork > maxInWork
    },
    stop: () => {
      clearInterval(timer)
      delay.disable()
    },
  }
}
