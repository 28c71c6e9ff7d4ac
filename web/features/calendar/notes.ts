import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { isBlank } from '#contract/text.ts'
import { useSession } from '#web/features/account/index.ts'
import { type LocalNote, localNotes, useAccountNoteDays } from '#web/features/diary/index.ts'
import { type ReadState, useAction } from '#web/lib/api.ts'
import { ConflictError, type Save, type StoredText } from '#web/lib/editor/save.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { saveInAccount, storedForm } from './save-note.ts'

/** The notes of a person and how to save them. */
export interface Notes {
  owner: string
  /** Whether the notes are only in this browser, as those of a person without an account. */
  isInBrowser: boolean
  /** All notes that are not blank, by day. */
  byDay: ReadState<ReadonlyMap<string, string>>
  storedOf: (day: string) => StoredText | undefined
  saveOf: (day: string) => Save
}

/** The notes of the current person: in the account, or in this browser for a person without one. */
export function useNotes(): Notes | undefined {
  const { state, user } = useSession()
  const ofAccount = useAccountNotes(state === 'registered' ? user.id : undefined)
  const ofBrowser = useBrowserNotes()
  if (state === 'unknown') return undefined
  return state === 'registered' ? { owner: user.id, ...ofAccount } : ofBrowser
}

function useAccountNotes(owner: string | undefined): Omit<Notes, 'owner'> {
  const client = useQueryClient()
  const notes = useAccountNoteDays(owner)
  const { run } = useAction(saveCalendarNote)
  const rows = new Map((notes.data ?? []).map((note) => [note.note_date, storedForm(note)]))
  return {
    isInBrowser: false,
    byDay: notes.status === 'ready' ? { ...notes, data: shownOf(rows) } : notes,
    // A day that could not be read counts as empty: the server refuses to replace a stored note, and the person is asked.
    storedOf: (day) => (notes.status === 'loading' ? undefined : (rows.get(day) ?? nothing)),
    saveOf: (day) =>
      saveInAccount(client, owner, day, (input) =>
        run({ input, ...(owner !== undefined && { personId: owner }) }),
      ),
  }
}

function useBrowserNotes(): Notes {
  const owner = guestId()
  const local = localNotes(owner)
  const [, setVersion] = useState(local.version)
  const rows = new Map(local.all().map((note) => [note.date, localForm(note)]))
  return {
    owner,
    isInBrowser: true,
    byDay: { status: 'ready', data: shownOf(rows), error: null, refetch: () => {} },
    storedOf: (day) => rows.get(day) ?? nothing,
    saveOf: (day) => async (note, base) => {
      const here = local.read(day)
      if (here && here.updated_at !== base) throw new ConflictError(localForm(here))
      const updated_at = new Date(Math.max(Date.now(), Date.parse(base ?? '') + 1 || 0)).toISOString()
      if (!local.write(day, { date: day, note, saved: true, updated_at }))
        throw new Error('The storage of this browser is full')
      setVersion(local.version())
      return { text: note, version: updated_at }
    },
  }
}

const nothing: StoredText = { text: '', version: null }
const localForm = ({ note, updated_at }: LocalNote): StoredText => ({ text: note, version: updated_at })

const shownOf = (rows: ReadonlyMap<string, StoredText>): ReadonlyMap<string, string> =>
  new Map([...rows].filter(([, { text }]) => !isBlank(text)).map(([day, { text }]) => [day, text]))
