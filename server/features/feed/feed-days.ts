import { dayAtOffset } from '#contract/days.ts'
import { feedDayMax } from '#contract/feed/endpoints.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { cutPage } from '#server/platform/http/paging.ts'
import type { PreparedAnswers } from '#server/platform/http/prepared-answers.ts'
import { prepareList } from '#server/platform/http/prepared.ts'
import { type PreparedPage, SharedAnswers } from '#server/platform/http/shared-answers.ts'
import type { Bus } from '#server/platform/live/bus.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { listPostsOfDay } from './queries.ts'

export interface FeedDays {
  /** A day as finished bytes. */
  get(offset: number): Promise<PreparedPage>
  /** The day as finished bytes, if it is kept: without a query. */
  peek(offset: number): PreparedPage | undefined
  /** The date of a day, by the number of days before today. */
  dateAt(offset: number): string
  /** Call this after the commit of a change to that day. All processes drop the day. */
  drop(day: string): void
}

/** Keeps the days of the feed as finished answers, the same for everybody, until a post of the day changes. */
export function createFeedDays({
  database,
  clock,
  timeZone,
  answers,
  bus,
  onDrop,
}: {
  database: Db
  clock: Clock
  timeZone: string
  answers: PreparedAnswers
  bus: Bus
  /** Called on each `drop`, in the process that publishes it. */
  onDrop: () => void
}): FeedDays {
  const dayOf = daysAtOffsets(clock, timeZone)
  const days = new SharedAnswers({ answers, bus, kind: 'feed day', clock })
  // A day may have 40 MB, so older days are read one after the other. Today waits for no other day.
  const withPermit = createSemaphore({ atOnce: 1, maxWaiting: 100 })

  async function read(day: string): Promise<PreparedPage> {
    const posts = await listPostsOfDay(database, day, { limit: feedDayMax + 1 })
    const { shown, nextBefore } = cutPage(posts, feedDayMax, cursorOf)
    return { prepared: await prepareList(shown), nextBefore }
  }

  return {
    dateAt: dayOf,
    peek: (offset) => days.peek(dayOf(offset)),
    get(offset) {
      const day = dayOf(offset)
      return days.get(day, () => (offset === 0 ? read(day) : withPermit(() => read(day))))
    },
    drop(day) {
      days.drop(day)
      onDrop()
    },
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
    const day = counted.get(offset) ?? dayAtOffset(now, timeZone, offset)
    counted.set(offset, day)
    return day
  }
}

export const cursorOf = (post: { sortOrder: number; publishedAt: string | null; id: string }): string =>
  `${post.sortOrder}_${post.publishedAt}_${post.id}`
