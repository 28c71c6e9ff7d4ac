import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** Runs `work` every `everyMs` while the page is visible, and at once when it becomes visible again. */
export function useInterval(everyMs: number, work: () => void): void {
  const doWork = useEffectEvent(work)
  useEffect(() => whileVisible(everyMs, () => doWork()), [everyMs])
}

/** A value computed from the time. It is computed each second; the component renders when the value changes. */
export const useClock = <T extends string | number | boolean>(compute: (now: Date) => T): T =>
  useSyncExternalStore(onSecond, () => compute(new Date()))

const listeners = new Set<() => void>()
let stopClock = () => {}

function onSecond(listener: () => void) {
  if (listeners.size === 0) stopClock = whileVisible(1000, () => listeners.forEach((notify) => notify()))
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) stopClock()
  }
}

/** Runs `work` as `useInterval` does. Returns a function that stops it. */
export function whileVisible(everyMs: number, work: () => void) {
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
