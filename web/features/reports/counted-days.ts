import { useEffect, useState } from 'react'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import type { CountedDay } from '#contract/reports/counted-days.ts'

let worker: Worker | undefined

/** The days with their counts, undefined while they are counted. */
export function useCountedDays(entries: DiaryEntry[] | undefined): readonly CountedDay[] | undefined {
  const [counted, setCounted] = useState<readonly CountedDay[]>()

  useEffect(() => {
    if (entries === undefined) return
    worker ??= new Worker(new URL('./count-worker.ts', import.meta.url), { type: 'module' })
    const counter = worker
    const take = ({ data }: MessageEvent<readonly CountedDay[]>) => setCounted(data)
    counter.addEventListener('message', take)
    counter.postMessage(entries)
    return () => counter.removeEventListener('message', take)
  }, [entries])

  return counted
}
