import { finishedRoomsAtOnce, finishedRoomsMax } from '#contract/rooms/endpoints.ts'
import type { FinishedRoom } from '#contract/rooms/room.ts'
import type { Needs } from '#server/feature.ts'
import { sliceOf, type TimeCursor, timeCursorOf } from '#server/platform/http/answers/paging.ts'
import { prepareList } from '#server/platform/http/answers/prepared.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { listFinishedRooms, msUntilNextEnd } from './queries.ts'

declare module '#server/platform/http/answers/answer-cache.ts' {
  interface CountedChanges {
    stories: true
  }
}

type Query = Parameters<typeof listFinishedRooms>[2]

type Deps = Pick<Needs, 'database' | 'answers' | 'events'>

export type Shelf = ReturnType<typeof createShelf>

/** The lengths of the newest slice that are cached: the length that our page requests, and the maximum. */
export const cachedLengths = [finishedRoomsAtOnce, finishedRoomsMax]

/** The list of finished rooms. A slice may have 1,000 of them. Therefore slices that are not cached are read one at a time. */
export function createShelf({ database, answers, events }: Deps) {
  const slices = answers.of('shelf')
  const withPermit = createSemaphore({ atOnce: 1, maxWaiting: 100, maxWaitingPerOwner: 10 })

  const list = (readerId: string | null, query: Query, owner: string | undefined): Promise<FinishedRoom[]> =>
    withPermit(() => listFinishedRooms(database, readerId, query), { owner })

  async function readNewest(limit: number) {
    // Read before the list: when a room ends between the two, the slice is already out of date and is not cached.
    const maxAgeMs = await msUntilNextEnd(database)
    const found = await listFinishedRooms(database, null, { words: [], limit: limit + 1 })
    const { rows, nextBefore } = sliceOf(found, limit, cursorOfFinished)
    return { prepared: await prepareList(rows), nextBefore, maxAgeMs }
  }

  events.on('shelfChanged', () => {
    cachedLengths.forEach((limit) => slices.drop(String(limit)))
    answers.noteChange('stories')
  })
  events.on('storiesChanged', () => answers.noteChange('stories'))
  return {
    /** The newest finished rooms as visitors see them, as a finished answer of one of the cached lengths. */
    newest: (limit: number) => slices.get(String(limit), undefined, () => readNewest(limit)),
    /** The answer of `newest`, if it is cached: without a query. */
    peekNewest: (limit: number) => slices.peek(String(limit)),
    /** The finished rooms after a cursor, as visitors see them. They are not cached: everybody may ask for any cursor. */
    async older(before: TimeCursor, owner: string) {
      const found = await list(null, { words: [], limit: finishedRoomsAtOnce + 1, before }, owner)
      const { rows, nextBefore } = sliceOf(found, finishedRoomsAtOnce, cursorOfFinished)
      return { prepared: await prepareList(rows), nextBefore }
    },
    /** Any slice as the reader sees it, with one row more. */
    list,
  }
}

export const cursorOfFinished = ({ endedAt, id }: FinishedRoom): string =>
  timeCursorOf({ createdAt: endedAt, id })
