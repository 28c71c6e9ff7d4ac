import { abuseReportPersonalData } from './features/abuse-reports/index.ts'
import { calendarPersonalData } from './features/calendar/index.ts'
import { diaryPersonalData } from './features/diary/index.ts'
import { feedPersonalData } from './features/feed/index.ts'
import { friendPersonalData } from './features/friends/index.ts'
import { invitationPersonalData } from './features/invitations/index.ts'
import { roomPersonalData } from './features/rooms/index.ts'
import { idempotencyPersonalData } from './platform/http/endpoints/idempotency.ts'
import type { PersonalData } from './platform/personal-data.ts'

/** What must follow the deletion of an account in a running server. */
interface Caches {
  onFeedDayChanged: (day: string) => void
  onShelfChanged: () => void
  /** New events are in the inboxes of these people. */
  onInboxChanged: (personIds: string[]) => void
}

const noCaches: Caches = { onFeedDayChanged: () => {}, onShelfChanged: () => {}, onInboxChanged: () => {} }

/** What every feature stores of a person, for the server and, without caches and streams, for the commands. */
export const allPersonalData = ({
  onFeedDayChanged,
  onShelfChanged,
  onInboxChanged,
} = noCaches): PersonalData[] => [
  feedPersonalData(onFeedDayChanged),
  roomPersonalData(onShelfChanged),
  diaryPersonalData,
  calendarPersonalData,
  friendPersonalData(onInboxChanged),
  invitationPersonalData,
  abuseReportPersonalData,
  idempotencyPersonalData,
]
