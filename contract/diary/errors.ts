import { diaryMaxMiB } from './entry.ts'

export const diaryErrors = {
  DiaryConflict: {
    status: 400,
    error: 'This day was changed elsewhere in the meantime. Nothing was overwritten.',
  },
  DiaryFull: { status: 400, error: `Your diary has reached its limit of ${diaryMaxMiB} MiB.` },
  /** Also said of calendar notes. */
  DayDamaged: {
    status: 400,
    error: 'What is stored for this day is damaged and cannot be read. Nothing was overwritten.',
  },
  /** Also said of calendar notes, messages and drafts: all are encrypted with the key of the diary. */
  DiaryLocked: {
    status: 503,
    error: 'The diary is locked: this server was started without the key it was encrypted with.',
  },
} as const
