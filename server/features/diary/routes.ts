import { diaryMax, getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import {
  type DayText,
  findDayText,
  readDayTexts,
  readInstants,
  saveDayText,
  type Vault,
} from '#server/features/day-texts/index.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { readDayCursor } from '#server/platform/http/answers/paging.ts'
import { toldToSignIn, writers, withScope } from '#server/platform/http/endpoints/policy.ts'
import { streamed } from '#server/platform/http/answers/streamed.ts'
import { diaryTexts } from './schema.ts'

const diaryWriters = withScope('diary', toldToSignIn(writers, 'Please log in to save diary entries'))

export function diaryRoutes({ vault }: { vault: Vault }): Route[] {
  const diaryOf = (userId: string) => ({ texts: diaryTexts, vault, userId })

  return [
    handle(getDiary, diaryWriters, { isStreamed: true }, async ({ db, viewer, query }) => {
      const { limit = diaryMax } = query
      const page = await readDayTexts(db, diaryOf(viewer.id), {
        limit,
        before: readDayCursor(query.before),
      })
      return streamed(page, entryOf)
    }),

    handle(getDiaryEntry, diaryWriters, async ({ db, viewer, params }) =>
      entryOf(await findDayText(db, diaryOf(viewer.id), params.day)),
    ),

    handle(
      saveDiaryEntry,
      diaryWriters,
      {
        bodyLimit: 512 * 1024,
        echoes: { content: 'content' },
        claimsKey: true,
        withoutTransaction: 'a save is one statement, and one near the limit opens a transaction',
      },
      async ({ db, viewer, input, claim, fail }) => {
        const { date: day, content } = input
        const text = { day, content, ...readInstants(input) }
        const answer = entryOf({ ...text, updatedAt: null })
        const done = await saveDayText(db, diaryOf(viewer.id), text, { claim, answer })
        if ('saved' in done) return entryOf(done.saved)
        return done.refused === 'full'
          ? fail('DiaryFull')
          : fail('DiaryConflict', { current: entryOf(done.current) })
      },
    ),
  ]
}

const entryOf = ({ day, content, updatedAt }: DayText): DiaryEntry => ({
  entry_date: day,
  content,
  updated_at: updatedAt,
})
