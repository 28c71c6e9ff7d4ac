import { dayAtOffset } from '#contract/days.ts'
import { feedDayMax } from '#contract/feed/reading/endpoints.ts'
import type { Needs } from '#server/feature.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { sliceOf } from '#server/platform/http/answers/paging.ts'
import { prepareList } from '#server/platform/http/answers/prepared.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { feedCursorOf } from './cursor.ts'
import { listPostsOfDay } from './queries.ts'

declare module '#server/platform/http/answers/answer-cache.ts' {
  interface CountedChanges {
    posts: true
  }
}

interface Deps extends Pick<Needs, 'clock' | 'answers' | 'events'> {
  database: Db
  timeZone: string
}

export type FeedDays = ReturnType<typeof createFeedDays>

/** Caches the days of the feed as finished answers, the same for everybody, until a post of the day changes. */
export function createFeedDays({ database, clock, timeZone, answers, events }: Deps) {
  const dayOf = daysAtOffsets(clock, timeZone)
  const days = answers.of('feed day')
  // A day may have 40 MB, so older days are read one after the other. Today waits for no other day.
  const withPermit = createSemaphore({ atOnce: 1, maxWaiting: 100 })

  async function read(day: string) {
    const posts = await listPostsOfDay(database, day, { limit: feedDayMax + 1 })
    const { rows, nextBefore } = sliceOf(posts, feedDayMax, feedCursorOf)
    return { prepared: await prepareList(rows), nextBefore }
  }

  // All processes drop the day.
  events.on('feedDayChanged', (day) => {
    days.drop(day)
    answers.noteChange('posts')
  })
  events.on('postsChanged', () => answers.noteChange('posts'))
  const onDay = (day: string) => ({
    /** The day as finished bytes. */
    get: () => days.get(day, undefined, () => (day === dayOf(0) ? read(day) : withPermit(() => read(day)))),
    /** The day as finished bytes, if it is cached: without a query. */
    peek: () => days.peek(day),
  })
  return {
    /** The date of a day, by the number of days before today. */
    dateAt: dayOf,
    onDay,
    peek: (offset: number) => onDay(dayOf(offset)).peek(),
    get: (offset: number) => onDay(dayOf(offset)).get(),
  }
}

/** The day at an offset, computed once a second: computing a day costs more than sending a cached answer. */
function daysAtOffsets(clock: Clock, timeZone: string): (offset: number) => string {
  const counted = new Map<number, string>()
  let countedIn = NaN
  return (offset) => {
    const now = clock.now()
    const second = Math.floor(now.getTime() / 1000)
    if (second !== countedIn) counted.clear()
    countedIn = second
    return counted.getOrInsertComputed(offset, () => dayAtOffset(now, timeZone, offset))
  }
}
