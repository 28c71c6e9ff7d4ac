import { calendarNotes } from './features/calendar/save-note.ts'
import { hasEntryDraft } from './features/competitions/entry-draft.ts'
import { hasGuestDays } from './features/diary/local-diary.ts'
import { hasGuestNotes } from './features/diary/local-notes.ts'
import { diaryEntries } from './features/diary/save-day.ts'
import { postDrafts } from './features/posts/save-draft.ts'
import type { TextKind } from './lib/editor/text-kind.ts'
import type { HasOnlyCopy } from './lib/only-copies-context.ts'

/**
 * Each function tests whether this browser has texts of a person that are stored nowhere else. Log-out calls them before it
 * removes the texts. `web/lib/local-copies.ts` checks drafts itself.
 */
export const onlyCopyChecks: HasOnlyCopy[] = [hasGuestDays, hasGuestNotes, hasEntryDraft]

/**
 * The kinds of texts whose drafts can be saved in the account without an editor. The page counts them in this order. Other
 * drafts, such as messages, are only sent.
 */
export const textKinds: TextKind[] = [diaryEntries, calendarNotes, postDrafts]
