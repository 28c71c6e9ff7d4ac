import { addDays } from '#contract/days.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { type CallRow, row, someTime, writers } from './row.ts'

export const diaryCalls: readonly CallRow[] = [
  row(getDiary, writers, () => ({ query: { limit: '50' } })),
  row(getDiaryEntry, writers, () => ({ params: { day: '2025-06-10' } })),
  row(saveDiaryEntry, writers, ({ next }) => ({
    input: { date: addDays('2025-06-10', next()), content: 'A quiet day', base: null, writtenAt: someTime },
  })),
]
