import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import type { CalendarNote } from '#contract/calendar/note.ts'
import { isBlank } from '#contract/text.ts'
import { useSession } from '#web/features/account/index.ts'
import { keyOf, type Loaded, useAction, useEndpoint } from '#web/lib/api.ts'
import { saveOrConflict } from '#web/lib/editor/conflict.ts'
import { Conflict, type Save, type Stored } from '#web/lib/editor/manuscript.ts'
import { type LocalNote, localNotes } from '#web/lib/local-notes.ts'
import { guestId } from '#web/lib/session-storage.ts'

/** A day's note and the way to save it. */
export interface Notes {
  owner: string
  /** All that are not blank, by day. */
  byDay: Loaded<ReadonlyMap<string, string>>
  storedOf: (day: string) => Stored | undefined
  saveOf: (day: string) => Save
}

/** The notes of whoever sits here: in the account, or in this browser for those who have none. */
export function useNotes(): Notes | undefined {
  const { state, user } = useSession()
  const ofAccount = useAccountNotes(state === 'registered')
  const ofBrowser = useBrowserNotes()
  if (state === 'unknown') return undefined
  return state === 'registered' ? { owner: user.id, ...ofAccount } : ofBrowser
}

function useAccountNotes(enabled: boolean): Omit<Notes, 'owner'> {
  const client = useQueryClient()
  const notes = useEndpoint(getCalendar, { enabled })
  const { run } = useAction(saveCalendarNote)
  const rows = new Map((notes.data ?? []).map((note) => [note.note_date, storedForm(note)]))
  return {
    byDay: notes.status === 'ready' ? { ...notes, data: shownOf(rows) } : notes,
    // A day that could not be read counts as empty: its save asks before it replaces anything.
    storedOf: (day) => (notes.status === 'loading' ? undefined : (rows.get(day) ?? nothing)),
    saveOf: (day) =>
      saveOrConflict(async (note, base) => {
        const saved = await run({ input: { date: day, note, base } })
        client.setQueryData<CalendarNote[]>(keyOf(getCalendar), (all) => [
          ...(all ?? []).filter(({ note_date }) => note_date !== day),
          saved,
        ])
        return saved
      }, storedForm),
  }
}

function useBrowserNotes(): Notes {
  const owner = guestId()
  const local = localNotes(owner)
  const [, setVersion] = useState(local.version)
  const rows = new Map(local.all().map((note) => [note.date, localForm(note)]))
  return {
    owner,
    byDay: { status: 'ready', data: shownOf(rows), error: null, refetch: () => {} },
    storedOf: (day) => rows.get(day) ?? nothing,
    saveOf: (day) => async (note, base) => {
      const here = local.read(day)
      if (here && here.updated_at !== base) throw new Conflict(localForm(here))
      const updated_at = new Date(Math.max(Date.now(), Date.parse(base ?? '') + 1 || 0)).toISOString()
      if (!local.write(day, { date: day, note, saved: true, updated_at })) {
        throw new Error('This browser has no room for the note')
      }
      setVersion(local.version())
      return { text: note, version: updated_at }
    },
  }
}

const nothing: Stored = { text: '', version: null }
const storedForm = ({ content, updated_at }: CalendarNote): Stored => ({ text: content, version: updated_at })
const localForm = ({ note, updated_at }: LocalNote): Stored => ({ text: note, version: updated_at })

const shownOf = (rows: ReadonlyMap<string, Stored>): ReadonlyMap<string, string> =>
  new Map([...rows].filter(([, { text }]) => !isBlank(text)).map(([day, { text }]) => [day, text]))
