import { feedDayMax } from '#contract/feed/endpoints.ts'
import { dayAtOffset } from '#contract/days.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { prepare, type Prepared } from '#server/platform/http/prepared.ts'
import { listPostsOfDay } from './queries.ts'

interface FeedDay {
  prepared: Prepared
  json: string
  /** When it was read, in milliseconds of the process. */
  readAt: number
  nextBefore: string | undefined
}

const maxDays = 400
/** A change by another process shows after so long at the latest. */
const safetyAgeMs = 5000

export interface FeedDays {
  /** A day as finished bytes. */
  get(offset: number): Promise<FeedDay>
  /** To be called once a change of that day is on disk. */
  drop(day: string): void
}

/** Keeps the days of the feed as finished answers, the same for everybody, until a post of the day changes. */
export function createFeedDays({
  database,
  clock,
  timeZone,
}: {
  database: Db
  clock: Clock
  timeZone: string
}): FeedDays {
  const dayOf = daysAtOffsets(clock, timeZone)
  const days = new Map<string, Promise<FeedDay>>()
  const fresh = new Map<string, FeedDay>()

  async function read(day: string, known: FeedDay | undefined): Promise<FeedDay> {
    const readAt = performance.now()
    const posts = await listPostsOfDay(database, day, { limit: feedDayMax + 1 })
    const shown = posts.slice(0, feedDayMax)
    const json = JSON.stringify(shown)
    const last = shown.at(-1)
    const nextBefore = posts.length > feedDayMax && last ? cursorOf(last) : undefined
    // The same text keeps its bytes and its tag.
    const prepared = known?.json === json ? known.prepared : await prepare(json)
    return { prepared, json, readAt, nextBefore }
  }

  return {
    async get(offset) {
      const day = dayOf(offset)
      const known = fresh.get(day)
      if (known !== undefined && performance.now() - known.readAt < safetyAgeMs) return known
      // Those who come while a day is read wait for that one reading.
      const running = days.get(day)
      if (running !== undefined) return running
      const reading = read(day, known)
      days.set(day, reading)
      try {
        const feedDay = await reading
        if (days.get(day) === reading) {
          fresh.delete(day)
          fresh.set(day, feedDay)
          if (fresh.size > maxDays) fresh.delete(fresh.keys().next().value!)
        }
        return feedDay
      } finally {
        if (days.get(day) === reading) days.delete(day)
      }
    },
    drop(day) {
      // A reading under way may have begun before the change: it answers those who wait, and is not kept.
      days.delete(day)
      fresh.delete(day)
    },
  }
}

/** The day at an offset, counted once a second: counting costs more than sending a kept answer. */
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
