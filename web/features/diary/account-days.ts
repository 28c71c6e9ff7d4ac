import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { getMe } from '#contract/account/endpoints.ts'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import type { CalendarNote } from '#contract/calendar/note.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { codeOf, type ReadState, readStateOf, queryKeyOf } from '#web/lib/api.ts'
import { readInParts } from '#web/lib/read-in-parts.ts'

// All days of an account. They stay in the memory of the page until it is left or the person logs out, so that a page
// without a network still has them. Their key and each request name the person: another person never gets them.

export const daysKey = (owner: string | undefined) => [...queryKeyOf(getDiary), owner]
export const notesKey = (owner: string | undefined) => [...queryKeyOf(getCalendar), owner]

/** The diary entries of the account, oldest first. They are read when an owner is given and `isWanted` is true. */
export function useAccountDays(owner: string | undefined, isWanted: boolean): ReadState<DiaryEntry[]> {
  const days = useQuery({
    queryKey: daysKey(owner),
    queryFn: ({ client, signal }) =>
      refetchMeOnOtherPerson(client, readAccountDays({ signal, personId: owner! })),
    enabled: owner !== undefined && isWanted,
    gcTime: Infinity,
  })
  return readStateOf(days)
}

/** The calendar notes of the account, oldest first. They are read when an owner is given and `isWanted` is true. */
export function useAccountNoteDays(owner: string | undefined, isWanted = true): ReadState<CalendarNote[]> {
  const notes = useQuery({
    queryKey: notesKey(owner),
    queryFn: ({ client, signal }) =>
      refetchMeOnOtherPerson(client, readAccountNotes({ signal, personId: owner! })),
    enabled: owner !== undefined && isWanted,
    gcTime: Infinity,
  })
  return readStateOf(notes)
}

/** How many diary entries the newest read of the account has brought so far. */
export const useDaysRead = (): number => useSyncExternalStore(onDaysRead, () => daysRead)

/**
 * Passes on the answer or the failure of a read. When the server answers that somebody else has signed in meanwhile in this browser,
 * the page also asks again who is signed in.
 */
export const refetchMeOnOtherPerson = <Answer>(
  client: QueryClient,
  reading: Promise<Answer>,
): Promise<Answer> =>
  reading.catch((error: unknown) => {
    if (codeOf(error) === 'OtherPerson') void client.invalidateQueries({ queryKey: queryKeyOf(getMe) })
    throw error
  })

interface Reading {
  signal: AbortSignal
  personId: string
}

// The answers are parsed in parts, because parsing years of entries at once would block the page.

async function readAccountDays(reading: Reading): Promise<DiaryEntry[]> {
  const days: DiaryEntry[] = []
  setDaysRead(0)
  for await (const part of readInParts(getDiary, reading)) {
    for (const day of part) days.push(day)
    setDaysRead(days.length)
  }
  return days.toSorted((one, other) => (one.entry_date < other.entry_date ? -1 : 1))
}

async function readAccountNotes(reading: Reading): Promise<CalendarNote[]> {
  const notes: CalendarNote[] = []
  for await (const part of readInParts(getCalendar, reading)) for (const note of part) notes.push(note)
  return notes.toSorted((one, other) => (one.note_date < other.note_date ? -1 : 1))
}

let daysRead = 0
const watching = new Set<() => void>()

function setDaysRead(count: number) {
  daysRead = count
  for (const changed of watching) changed()
}

function onDaysRead(changed: () => void) {
  watching.add(changed)
  return () => void watching.delete(changed)
}
