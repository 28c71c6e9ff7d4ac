import { encryptedReports } from './features/abuse-reports/index.ts'
import { calendarTexts } from './features/calendar/index.ts'
import { encryptedDays } from './features/day-texts/index.ts'
import { diaryTexts } from './features/diary/index.ts'
import { encryptedMessages } from './features/messages/index.ts'

/** Every table whose texts are encrypted with DIARY_KEY. */
export const allEncryptedTables = [
  encryptedDays(diaryTexts),
  encryptedDays(calendarTexts),
  encryptedMessages,
  encryptedReports,
]
