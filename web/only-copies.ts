import { hasEntryDraft } from './features/competitions/entry-draft.ts'
import { hasGuestDays } from './features/diary/local-diary.ts'
import { hasGuestNotes } from './features/diary/local-notes.ts'
import type { HasOnlyCopy } from './lib/only-copies.ts'

/**
 * Each function tests whether this browser has texts of a person that are stored nowhere else. Log-out calls them before it
 * removes the texts. `web/lib/local-copies.ts` checks drafts itself.
 */
export const onlyCopyChecks: HasOnlyCopy[] = [hasGuestDays, hasGuestNotes, hasEntryDraft]
