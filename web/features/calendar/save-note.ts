import type { QueryClient } from '@tanstack/react-query'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import type { CalendarNote } from '#contract/calendar/note.ts'
import { diaryDate } from '#contract/diary/dates.ts'
import type { SentInput } from '#contract/endpoint.ts'
import { notePath, notesKey } from '#web/features/diary/index.ts'
import { saveOrConflict } from '#web/lib/editor/conflict.ts'
import type { Save, StoredText } from '#web/lib/editor/save.ts'
import type { TextKind } from '#web/lib/editor/text-kind.ts'
import { send } from '#web/lib/request.ts'
import { randomId } from '#web/lib/session-keys.ts'

/** Saves a note in the account by `sendNote`, and adds it to the notes that were read. */
export const saveInAccount = (
  client: QueryClient,
  owner: string | undefined,
  day: string,
  sendNote: (input: SentInput<typeof saveCalendarNote>) => Promise<CalendarNote>,
): Save =>
  saveOrConflict(
    (note, base) => sendNote({ date: day, note, base }),
    storedForm,
    (note) => addToCache(client, notesKey(owner), note),
  )

export const calendarNotes: TextKind = {
  prefix: 'notes',
  nouns: ['note', 'notes'],
  nameOf: (day) => `Note of ${diaryDate(day)}`,
  pathOf: (_client, day) => notePath(day),
  saveOf: (client, owner, day) =>
    saveInAccount(client, owner, day, (input) =>
      send(saveCalendarNote, { input, idempotencyKey: randomId(), personId: owner }),
    ),
}

export const storedForm = ({ content, updated_at }: CalendarNote): StoredText => ({
  text: content,
  version: updated_at,
})

/** Adds a saved note to the notes that were read. A read that has failed, or that is not complete yet, is sent again. */
async function addToCache(client: QueryClient, queryKey: readonly unknown[], saved: CalendarNote) {
  const wasRead = client.getQueryData(queryKey) !== undefined && client.isFetching({ queryKey }) === 0
  // Its answer may be older than the save.
  await client.cancelQueries({ queryKey })
  client.setQueryData<CalendarNote[]>(
    queryKey,
    (all) => all && [...all.filter(({ note_date }) => note_date !== saved.note_date), saved],
  )
  if (!wasRead) void client.invalidateQueries({ queryKey })
}
