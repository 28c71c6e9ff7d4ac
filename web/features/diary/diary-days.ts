import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { useSession } from '#web/features/account/index.ts'
import { type ReadState, readStateOf, queryKeyOf, queryOf, useAction, useEndpoint } from '#web/lib/api.ts'
import { cached } from '#web/lib/cached.ts'
import { readDay, readDays, readNewestDays } from '#web/lib/device/days.ts'
import { ConflictError, type Save, type StoredText } from '#web/lib/editor/save.ts'
import { send } from '#web/lib/request.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { refetchMeOnOtherPerson, useAccountDays } from './account-days.ts'
import { entryForm, forgetSavedDays, hasSavedText, type LocalDiary, localDiary } from './local-diary.ts'
import { useLocalVersion } from './local-version.ts'
import { type PageDiary, pageDiary } from './page-diary.ts'
import { mergeLatest, saveInAccount, storedForm } from './save-day.ts'

/** Where the diary of the current person is stored: in the account, for a guest in this browser, for a visitor nowhere. */
export interface DiaryKeeper {
  owner: string
  keeps: 'account' | 'browser' | 'nothing'
}

/** What the page itself knows of the diary: all days of a guest, and of an account what was saved or typed since. */
export const diaryHere = ({ owner, keeps }: DiaryKeeper): PageDiary =>
  keeps === 'account' ? pageDiary(owner) : localDiary(owner)

/** Undefined until the session is known. */
export function useDiaryKeeper(): DiaryKeeper | undefined {
  const { state, user } = useSession()
  if (state === 'unknown') return undefined
  if (state === 'registered') return { owner: user.id, keeps: 'account' }
  return { owner: guestId(), keeps: state === 'guest' ? 'browser' : 'nothing' }
}

/**
 * The saved days with text, oldest first. They include what another tab has saved, at most a second later. If the account
 * cannot be read, they are the days that this browser has. The account is read from when `isWanted` is true.
 */
export function useDiaryDays(isWanted = true): ReadState<DiaryEntry[]> {
  const keeper = useDiaryKeeper()
  const hasAccount = keeper?.keeps === 'account'
  const account = useAccountDays(hasAccount ? keeper.owner : undefined, isWanted)
  const isUnread = hasAccount && account.status === 'failed'
  const onDevice = useDeviceDays(keeper?.owner, 'all', isUnread)
  const known = account.data ?? onDevice.data ?? none
  const local = keeper && diaryHere(keeper)
  const version = useLocalVersion(local)
  const days = useMemo(
    () => withText(mergeLatest(known, version === null ? [] : savedInBrowser(local))),
    [known, local, version],
  )

  const accountRead = hasAccount && account.data !== undefined ? keeper.owner : undefined
  // Older programs have copied the days there.
  useEffect(() => {
    if (accountRead !== undefined) forgetSavedDays(accountRead)
  }, [accountRead])

  const isKnown =
    keeper !== undefined &&
    (!hasAccount || account.status === 'ready' || (account.status === 'failed' && days.length > 0))
  if (isKnown) {
    const refetchError = account.status === 'ready' ? (account.refetchError ?? null) : account.error
    return { status: 'ready', data: days, error: null, refetchError, refetch: account.refetch }
  }
  // Nothing has failed before the device was read.
  if (isUnread && onDevice.isPending)
    return { status: 'loading', data: undefined, error: null, refetch: account.refetch }
  return account.status === 'ready' ? { ...account, data: days } : account
}

/** The days that this device keeps of an account, oldest first: all, or the newest. */
const useDeviceDays = (owner: string | undefined, which: 'all' | 'newest', enabled: boolean) =>
  useQuery({
    queryKey: ['diary days of this device', owner, which],
    queryFn: async () => {
      const kept = await (which === 'all'
        ? readDays(owner!, 'diary')
        : readNewestDays(owner!, 'diary', newestMax).then((days) => days.toReversed()))
      return kept as DiaryEntry[]
    },
    enabled: enabled && owner !== undefined,
    networkMode: 'always',
    retry: false,
    gcTime: 0,
  })

const none: DiaryEntry[] = []

/** Several parts of a page ask for the same days. Filtering years of days takes milliseconds, so it is done once. */
const withText = (days: DiaryEntry[]) => cached(daysWithText, days, () => days.filter(hasSavedText))
const daysWithText = new WeakMap<DiaryEntry[], DiaryEntry[]>()

const newestMax = 30
const newest = { query: { limit: String(newestMax) } }

/**
 * Whether the text that a view shows first has been answered, or one attempt has failed: the newest days, or one day. The
 * whole diary is read after it, because years of entries would delay it.
 */
export function useIsFirstTextAnswered(first: 'newest' | { day: string }): boolean {
  const query =
    first === 'newest' ? queryOf(getDiary, newest) : queryOf(getDiaryEntry, { params: { day: first.day } })
  const { isPending, failureCount } = useQuery<unknown>({ ...query, enabled: false })
  return !isPending || failureCount > 0
}

/** The newest days of the account, or of this device, shown until all days are loaded. They include what was saved in this browser since. */
export function useNewestDays(enabled: boolean): DiaryEntry[] {
  const keeper = useDiaryKeeper()
  const isInAccount = enabled && keeper?.keeps === 'account'
  const account = useEndpoint(getDiary, { ...newest, enabled: isInAccount, staleTime: 0 })
  const onDevice = useDeviceDays(keeper?.owner, 'newest', isInAccount && account.status === 'failed')
  const data = account.data ?? onDevice.data
  const first = data?.at(0)?.entry_date
  if (!enabled || data === undefined || first === undefined) return []
  const here = savedInBrowser(keeper && diaryHere(keeper)).filter(({ entry_date }) => entry_date >= first)
  return mergeLatest(data, here).filter(hasSavedText)
}

/**
 * The stored text of a day, undefined until it is loaded. Until the account is read, it is what this device keeps of the day.
 * A day that cannot be read counts as empty.
 */
export function useStoredDay(keeper: DiaryKeeper, day: string) {
  const { owner, keeps } = keeper
  const params = { day }
  const query = useQuery({
    queryKey: queryKeyOf(getDiaryEntry, { params }),
    queryFn: ({ client, signal }) =>
      refetchMeOnOtherPerson(client, send(getDiaryEntry, { params, signal, personId: owner })),
    enabled: keeps === 'account',
    staleTime: 0,
  })
  const account = readStateOf(query)
  // Without a network the person can write at once, not after the last attempt.
  const isOffline = query.failureReason instanceof TypeError && !navigator.onLine
  const onDevice = useQuery({
    queryKey: ['diary day of this device', owner, day],
    queryFn: () => readDay(owner, 'diary', day).then((kept) => (kept as DiaryEntry | undefined) ?? null),
    enabled: keeps === 'account',
    networkMode: 'always',
    retry: false,
    gcTime: 0,
  })
  const here = diaryHere(keeper).read(day)
  const saved = here?.saved ? here : onDevice.data
  const isFailed =
    keeps === 'account' && (account.status === 'failed' || (isOffline && account.status === 'loading'))
  return {
    stored: account.data
      ? storedForm(account.data)
      : saved
        ? storedForm(saved)
        : keeps === 'account' && (!isFailed || onDevice.isPending)
          ? undefined
          : nothing,
    isFailed,
    refetch: account.refetch,
  }
}

const nothing: StoredText = { text: '', version: null }

/** Saves a day where the diary is stored. The server refuses a save of a visitor. */
export function useSaveDay({ owner, keeps }: DiaryKeeper, day: string): Save {
  const client = useQueryClient()
  const { run } = useAction(saveDiaryEntry)
  const local = localDiary(owner)
  if (keeps === 'browser') return async (text, base) => saveInBrowser(local, day, text, base)
  return saveInAccount(client, owner, day, (input) => run({ input, personId: owner }))
}

async function saveInBrowser(
  local: LocalDiary,
  day: string,
  content: string,
  base: string | null,
): Promise<StoredText> {
  const here = local.read(day)
  const version = here?.saved ? here.updated_at : null
  if (here && version !== base) throw new ConflictError({ text: here.content, version })
  const updated_at = new Date(Math.max(Date.now(), Date.parse(version ?? '') + 1 || 0)).toISOString()
  if (!local.write(day, { date: day, content, saved: true, updated_at }))
    throw new Error('The storage of this browser is full')
  return { text: content, version: updated_at }
}

const savedInBrowser = (local: PageDiary | undefined) =>
  (local?.all() ?? []).flatMap((entry) => (entry.saved ? entryForm(entry) : []))
