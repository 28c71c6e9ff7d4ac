import { useMemo } from 'react'
import type { CalendarNote } from '#contract/calendar/note.ts'
import type { ReadState } from '#web/lib/api.ts'
import { useAccountNoteDays } from './account-days.ts'
import { useDiaryKeeper } from './diary-days.ts'
import { localNotes } from './local-notes.ts'
import { useLocalVersion } from './local-version.ts'

/** The saved calendar notes of the current person, oldest first. The account is read from when `isWanted` is true. */
export function useNoteDays(isWanted: boolean): ReadState<CalendarNote[]> {
  const keeper = useDiaryKeeper()
  const isInAccount = keeper?.keeps === 'account'
  const owner = keeper?.owner
  const account = useAccountNoteDays(isInAccount ? owner : undefined, isWanted)
  const version = useLocalVersion(owner === undefined || isInAccount ? undefined : localNotes(owner))
  const here = useMemo(
    () => (owner === undefined || version === null ? [] : savedInBrowser(owner)),
    [owner, version],
  )
  if (keeper === undefined || isInAccount) return account
  return { status: 'ready', data: here, error: null, refetch: () => {} }
}

const savedInBrowser = (owner: string) =>
  localNotes(owner)
    .all()
    .map(({ date, note, updated_at }) => ({ note_date: date, content: note, updated_at }))
