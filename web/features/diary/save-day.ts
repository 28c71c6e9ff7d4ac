import type { QueryClient } from '@tanstack/react-query'
import { diaryDate } from '#contract/diary/dates.ts'
import { getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import type { SentInput } from '#contract/endpoint.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { saveOrConflict } from '#web/lib/editor/conflict.ts'
import type { Save, StoredText } from '#web/lib/editor/save.ts'
import type { TextKind } from '#web/lib/editor/text-kind.ts'
import { send } from '#web/lib/request.ts'
import { randomId } from '#web/lib/session-keys.ts'
import { daysKey } from './account-days.ts'
import { localDiary, localForm } from './local-diary.ts'
import { pageDiary } from './page-diary.ts'
import { diaryPath } from './path.ts'

/** Saves a day in the account by `sendDay`, and adds it to what the pages of this browser show of the diary. */
export const saveInAccount = (
  client: QueryClient,
  owner: string,
  day: string,
  sendDay: (input: SentInput<typeof saveDiaryEntry>) => Promise<DiaryEntry>,
): Save =>
  saveOrConflict(
    (content, base) => sendDay({ date: day, content, base }),
    storedForm,
    (entry) => {
      pageDiary(owner).write(day, localForm(entry))
      const local = localDiary(owner)
      if (local.read(day)) local.remove(day)
      addToCache(client, owner, entry)
    },
  )

export const diaryEntries: TextKind = {
  prefix: 'diary',
  nouns: ['day', 'days'],
  nameOf: (day) => `Diary entry of ${diaryDate(day)}`,
  pathOf: (_client, day) => diaryPath(day),
  saveOf: (client, owner, day) =>
    saveInAccount(client, owner, day, (input) =>
      send(saveDiaryEntry, { input, idempotencyKey: randomId(), personId: owner }),
    ),
}

export const storedForm = ({
  content,
  updated_at,
}: Pick<DiaryEntry, 'content' | 'updated_at'>): StoredText => ({
  text: content,
  version: updated_at,
})

/** Adds a saved day to the query cache. Loading the diary again could take years of entries. */
function addToCache(client: QueryClient, owner: string, entry: DiaryEntry) {
  client.setQueryData(queryKeyOf(getDiaryEntry, { params: { day: entry.entry_date } }), entry)
  client.setQueryData<DiaryEntry[]>(daysKey(owner), (days) => days && mergeLatest(days, [entry]))
}

/** Joins two lists by day, each the oldest day first. Of two entries for one day it takes the one that was saved last. */
export function mergeLatest(some: DiaryEntry[], others: DiaryEntry[]): DiaryEntry[] {
  if (others.length === 0) return some
  const byDay = new Map(some.map((entry) => [entry.entry_date, entry]))
  for (const entry of others) {
    const known = byDay.get(entry.entry_date)
    if (known === undefined || (known.updated_at ?? '') <= (entry.updated_at ?? ''))
      byDay.set(entry.entry_date, entry)
  }
  return [...byDay.values()].toSorted((one, other) => (one.entry_date < other.entry_date ? -1 : 1))
}
