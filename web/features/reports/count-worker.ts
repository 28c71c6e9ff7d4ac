import type { DiaryEntry } from '#contract/diary/entry.ts'
import { type CountedDay, countDays } from './counted-days.ts'

// Counts words in a worker, so that the page stays responsive. The counts are cached until the page is closed.

let known: readonly CountedDay[] = []

addEventListener('message', ({ data }: MessageEvent<DiaryEntry[]>) => {
  known = countDays(data, known)
  postMessage(known)
})
