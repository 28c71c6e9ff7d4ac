import { useEffect, useState } from 'react'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { startWorker } from '#web/lib/workers.ts'
import type { CountedDay } from './counted-days.ts'

let worker: Worker | undefined

/** Counts the days in a worker. `days` is undefined until they are counted. */
export function useCountedDays(entries: DiaryEntry[] | undefined) {
  const [days, setDays] = useState<readonly CountedDay[]>()
  const [attempt, setAttempt] = useState(0)
  const [failedAttempt, setFailedAttempt] = useState<number>()

  useEffect(() => {
    if (entries === undefined) return
    worker ??= startWorker('reports/count-worker')
    const counter = worker
    const take = ({ data }: MessageEvent<readonly CountedDay[]>) => {
      setDays(data)
      setFailedAttempt(undefined)
    }
    // A worker whose script could not be loaded never answers, so the next attempt needs another worker.
    const fail = () => {
      if (worker === counter) worker = undefined
      setFailedAttempt(attempt)
    }
    counter.addEventListener('message', take)
    counter.addEventListener('error', fail)
    counter.postMessage(entries)
    return () => {
      counter.removeEventListener('message', take)
      counter.removeEventListener('error', fail)
    }
  }, [entries, attempt])

  return {
    days,
    hasFailed: failedAttempt === attempt,
    tryAgain: () => setAttempt((last) => last + 1),
  }
}
