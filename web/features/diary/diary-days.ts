import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { useSession } from '#web/features/account/index.ts'
import { keyOf, type Loaded, loadedOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { saveOrConflict } from '#web/lib/editor/conflict.ts'
import { Conflict, type Save, type Stored } from '#web/lib/editor/manuscript.ts'
import { sendInParts } from '#web/lib/request.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { copyHere, entryForm, isShown, type LocalDiary, localDiary, localForm } from './local-diary.ts'

/** Where the diary of whoever sits here is kept: in the account, for guests in this browser, else nowhere. */
export interface DiaryKeeper {
  owner: string
  keeps: 'account' | 'browser' | 'nothing'
}

/** Undefined until it is known who sits here. */
export function useDiaryKeeper(): DiaryKeeper | undefined {
  const { state, user } = useSession()
  if (state === 'unknown') return undefined
  if (state === 'registered') return { owner: user.id, keeps: 'account' }
  return { owner: guestId(), keeps: state === 'guest' ? 'browser' : 'nothing' }
}

/**
 * The saved days with text, oldest first; a day that another tab has saved shows within a second. Where the account
 * cannot be read, they are those that this browser keeps.
 */
export function useDiaryDays(): Loaded<DiaryEntry[]> {
  const keeper = useDiaryKeeper()
  const hasAccount = keeper?.keeps === 'account'
  const account = useAccountDays(hasAccount)
  const local = keeper && localDiary(keeper.owner)
  const version = useLocalVersion(local)
  const days = useMemo(
    () => latest(account.data ?? [], version === null ? [] : savedHere(local)).filter(isShown),
    [account.data, local, version],
  )

  useEffect(() => {
    if (!hasAccount || !local || account.data === undefined) return
    const leaving = new AbortController()
    void copyHere(local, account.data, leaving.signal)
    return () => leaving.abort()
  }, [hasAccount, local, account.data])

  const isKnown =
    keeper !== undefined &&
    (!hasAccount || account.status === 'ready' || (account.status === 'failed' && days.length > 0))
  if (isKnown) {
    const refetchError = account.status === 'ready' ? (account.refetchError ?? null) : account.error
    return { status: 'ready', data: days, error: null, refetchError, refetch: account.refetch }
  }
  return account.status === 'ready' ? { ...account, data: days } : account
}

function useAccountDays(enabled: boolean): Loaded<DiaryEntry[]> {
  const client = useQueryClient()
  const days = useQuery({
    queryKey: keyOf(getDiary),
    queryFn: ({ signal }) => readAccountDays(client, signal),
    enabled,
  })
  return loadedOf(days)
}

const beginningKey = [...keyOf(getDiary), 'beginning']

async function readAccountDays(client: QueryClient, signal: AbortSignal): Promise<DiaryEntry[]> {
  const days: DiaryEntry[] = []
  for await (const part of sendInParts(getDiary, { signal })) {
    if (days.length === 0) client.setQueryData(beginningKey, part)
    for (const day of part) days.push(day)
  }
  return days
}

/** The first days of the account while the others are still on their way, with what was saved here since. */
export function useDiaryBeginning(): DiaryEntry[] {
  const keeper = useDiaryKeeper()
  const { data } = useQuery<DiaryEntry[]>({ queryKey: beginningKey, queryFn: skipToken })
  const last = data?.at(-1)?.entry_date
  if (data === undefined || last === undefined) return []
  const here = savedHere(keeper && localDiary(keeper.owner)).filter(({ entry_date }) => entry_date <= last)
  return latest(data, here).filter(isShown)
}

/** What is saved for a day, undefined until it is known; a day that cannot be read counts as empty. */
export function useStoredDay({ owner, keeps }: DiaryKeeper, day: string) {
  const account = useEndpoint(getDiaryEntry, { params: { day }, enabled: keeps === 'account', staleTime: 0 })
  const here = localDiary(owner).read(day)
  const saved = here?.saved ? storedForm(entryForm(here)) : undefined
  const isFailed = keeps === 'account' && account.status === 'failed'
  return {
    stored: account.data
      ? storedForm(account.data)
      : (saved ?? (keeps === 'account' && !isFailed ? undefined : nothing)),
    isFailed,
    refetch: account.refetch,
  }
}

const nothing: Stored = { text: '', version: null }

/** Saves a day where the diary is kept; without a session the call is refused. */
export function useSaveDay({ owner, keeps }: DiaryKeeper, day: string): Save {
  const client = useQueryClient()
  const { run } = useAction(saveDiaryEntry)
  const local = localDiary(owner)
  if (keeps === 'browser') return async (text, base) => saveHere(local, day, text, base)
  return saveOrConflict(async (content, base) => {
    const entry = await run({ input: { date: day, content, base } })
    local.write(day, localForm(entry))
    remember(client, entry)
    return entry
  }, storedForm)
}

const storedForm = ({ content, updated_at }: DiaryEntry): Stored => ({ text: content, version: updated_at })

async function saveHere(
  local: LocalDiary,
  day: string,
  content: string,
  base: string | null,
): Promise<Stored> {
  const here = local.read(day)
  const version = here?.saved ? here.updated_at : null
  if (here && version !== base) throw new Conflict({ text: here.content, version })
  const updated_at = new Date(Math.max(Date.now(), Date.parse(version ?? '') + 1 || 0)).toISOString()
  if (!local.write(day, { date: day, content, saved: true, updated_at }))
    throw new Error('This browser has no room for the entry')
  return { text: content, version: updated_at }
}

/** The kept answers take in a saved day without asking for years of others again. */
function remember(client: QueryClient, entry: DiaryEntry) {
  client.setQueryData(keyOf(getDiaryEntry, { params: { day: entry.entry_date } }), entry)
  client.setQueryData<DiaryEntry[]>(keyOf(getDiary), (days) => days && latest(days, [entry]))
}

/** Both lists by day, of two entries for a day the one that was saved last. */
function latest(some: DiaryEntry[], others: DiaryEntry[]): DiaryEntry[] {
  const byDay = new Map(some.map((entry) => [entry.entry_date, entry]))
  for (const entry of others) {
    const known = byDay.get(entry.entry_date)
    if (known === undefined || (known.updated_at ?? '') <= (entry.updated_at ?? ''))
      byDay.set(entry.entry_date, entry)
  }
  return [...byDay.values()].toSorted((one, other) => (one.entry_date < other.entry_date ? -1 : 1))
}

const savedHere = (local: LocalDiary | undefined) =>
  (local?.all() ?? []).flatMap((entry) => (entry.saved ? entryForm(entry) : []))

const lookEveryMs = 1000

/** Changes when the copies in this browser do. */
function useLocalVersion(local: LocalDiary | undefined): string | null {
  return useSyncExternalStore(
    (changed) => {
      const look = () => document.hidden || changed()
      const timer = setInterval(look, lookEveryMs)
      return () => clearInterval(timer)
    },
    () => local?.version() ?? null,
  )
}
