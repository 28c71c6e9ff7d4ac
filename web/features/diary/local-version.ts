import { useSyncExternalStore } from 'react'
import type { LocalDays } from '#web/lib/local-days.ts'

const pollEveryMs = 1000

/** Changes when a day in this browser is written or removed. A hidden page does not poll. */
export function useLocalVersion(local: Pick<LocalDays<unknown>, 'version'> | undefined): string | null {
  return useSyncExternalStore(
    (changed) => {
      const poll = () => document.hidden || changed()
      const timer = setInterval(poll, pollEveryMs)
      return () => clearInterval(timer)
    },
    () => local?.version() ?? null,
  )
}
