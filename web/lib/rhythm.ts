import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** Does something again and again while the page can be seen, and at once when it is seen again. */
export function useRhythm(everyMs: number, work: () => void): void {
  const doWork = useEffectEvent(work)
  useEffect(() => whileVisible(everyMs, () => doWork()), [everyMs])
}

/** What is told of the time, drawn anew only when it reads differently. */
export const useByClock = <T extends string | number | boolean>(tell: (now: Date) => T): T =>
  useSyncExternalStore(onSecond, () => tell(new Date()))

const listeners = new Set<() => void>()
let stopClock = () => {}

function onSecond(listener: () => void) {
  if (listeners.size === 0) stopClock = whileVisible(1000, () => listeners.forEach((hear) => hear()))
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) stopClock()
  }
}

/** Answers how to stop. */
function whileVisible(everyMs: number, work: () => void) {
  let timer: ReturnType<typeof setInterval> | undefined
  const follow = () => {
    clearInterval(timer)
    if (document.visibilityState !== 'hidden') timer = setInterval(work, everyMs)
  }
  const change = () => {
    follow()
    if (document.visibilityState !== 'hidden') work()
  }
  follow()
  document.addEventListener('visibilitychange', change)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', change)
  }
}
