import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { dayAtOffset } from '#contract/days.ts'
import { feedDayMax } from '#contract/feed/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { PreparedAnswers } from '#server/platform/http/prepared-answers.ts'
import { etagOfDigest, Prepared } from '#server/platform/http/prepared.ts'
import { createTurns } from '#server/platform/turns.ts'
import { listPostsOfDay } from './queries.ts'

interface FeedDay {
  prepared: Prepared
  /** When it was read, in milliseconds of the process. */
  readAt: number
  nextBefore: string | undefined
}

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
  answers,
}: {
  database: Db
  clock: Clock
  timeZone: string
  answers: PreparedAnswers
}): FeedDays {
  const dayOf = daysAtOffsets(clock, timeZone)
  const readings = new Map<string, Promise<FeedDay>>()
  const days = answers.of<FeedDay>('feed day')
  // A day may have 40 MB: whoever asks for many days has them read one after the other, and today waits for none.
  const inTurn = createTurns({ atOnce: 1, maxWaiting: 100 })

  async function read(day: string, known: FeedDay | undefined): Promise<FeedDay> {
    const readAt = clock.monotonicMs()
    const posts = await listPostsOfDay(database, day, { limit: feedDayMax + 1 })
    const shown = posts.slice(0, feedDayMax)
    const last = shown.at(-1)
    const nextBefore = posts.length > feedDayMax && last ? cursorOf(last) : undefined
    const prepared = await prepareDay(shown)
    // The same text keeps its bytes in all encodings.
    return {
      prepared: known?.prepared.etag === prepared.etag ? known.prepared : prepared,
      readAt,
      nextBefore,
    }
  }

  return {
    async get(offset) {
      const day = dayOf(offset)
      const known = days.get(day)
      if (known !== undefined && clock.monotonicMs() - known.readAt < safetyAgeMs) return known
      // Those who come while a day is read wait for that one reading.
      const running = readings.get(day)
      if (running !== undefined) return running
      const reading = offset === 0 ? read(day, known) : inTurn(() => read(day, known))
      readings.set(day, reading)
      try {
        const feedDay = await reading
        if (readings.get(day) === reading) days.keep(day, feedDay)
        return feedDay
      } finally {
        if (readings.get(day) === reading) readings.delete(day)
      }
    },
    drop(day) {
      // A reading under way may have begun before the change: it answers those who wait, and is not kept.
      readings.delete(day)
      days.drop(day)
    },
  }
}

const sliceBytes = 1024 * 1024

/** Makes the JSON of a day in slices, so that a long day does not keep the event loop busy (S51). */
async function prepareDay(posts: readonly Post[]): Promise<Prepared> {
  const sha256 = createHash('sha256')
  const slices: Buffer[] = []
  let slice = '['
  const finish = () => {
    const bytes = Buffer.from(slice)
    sha256.update(bytes)
    slices.push(bytes)
    slice = ''
  }
  for (const [n, post] of posts.entries()) {
    slice += `${n === 0 ? '' : ','}${JSON.stringify(post)}`
    if (slice.length < sliceBytes) continue
    finish()
    await setImmediate()
  }
  slice += ']'
  finish()
  return new Prepared(Buffer.concat(slices), etagOfDigest(sha256.digest('base64url')))
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
