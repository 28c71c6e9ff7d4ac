import { calendarPersonalData } from './features/calendar/index.ts'
import { diaryPersonalData } from './features/diary/index.ts'
import { feedPersonalData } from './features/feed/index.ts'
import { roomPersonalData } from './features/rooms/index.ts'
import { idempotencyPersonalData } from './platform/http/idempotency.ts'
import type { PersonalData } from './platform/personal-data.ts'

interface Caches {
  onFeedDayChanged: (day: string) => void
  onShelfChanged: () => void
}

const noCaches: Caches = { onFeedDayChanged: () => {}, onShelfChanged: () => {} }

/** What every feature stores of a person, for the server and, without caches, for the commands. */
export const allPersonalData = ({ onFeedDayChanged, onShelfChanged } = noCaches): PersonalData[] => [
  feedPersonalData(onFeedDayChanged),
  roomPersonalData(onShelfChanged),
  diaryPersonalData,
  calendarPersonalData,
  idempotencyPersonalData,
]
