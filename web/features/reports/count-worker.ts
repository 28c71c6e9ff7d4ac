import type { DiaryEntry } from '#contract/diary/entry.ts'
import { type CountedDay, countDays } from '#contract/reports/counted-days.ts'

// Counts beside the page, and keeps what is counted as long as the page lives.

let known: readonly CountedDay[] = []

addEventListener('message', ({ data }: MessageEvent<DiaryEntry[]>) => {
  known = countDays(data, known)
  postMessage(known)
})
