import type { Clock } from '#server/platform/clock.ts'
import { finishedRoomsAtOnce, finishedRoomsMax } from '#contract/rooms/endpoints.ts'
import type { FinishedRoom } from '#contract/rooms/room.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { PreparedAnswers } from '#server/platform/http/prepared-answers.ts'
import { prepareList } from '#server/platform/http/prepared.ts'
import { type PreparedPage, SharedAnswers } from '#server/platform/http/shared-answers.ts'
import { cutPage, type TimeCursor, timeCursorOf } from '#server/platform/http/paging.ts'
import type { Bus } from '#server/platform/live/bus.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'
import { listFinishedRooms, msUntilNextEnd } from './queries.ts'

type Query = Parameters<typeof listFinishedRooms>[2]

export interface Shelf {
  /** The newest finished rooms as visitors see them, as a prepared answer of one of the kept lengths. */
  newest(limit: number): Promise<PreparedPage>
  /** The answer of `newest`, if it is kept: without a query. */
  peekNewest(limit: number): PreparedPage | undefined
  /** The finished rooms after a cursor, as visitors see them. They are not kept: everybody may ask for any cursor. */
  older(before: TimeCursor, owner: string): Promise<PreparedPage>
  /** Any page as the reader sees it, with one row more. */
  list(readerId: string | null, query: Query, owner: string | undefined): Promise<FinishedRoom[]>
  /** Call it after a change of a finished room is committed. */
  drop(): void
}

/** The lengths of the newest page that are kept: the length that our page requests, and the maximum. */
export const keptLengths = [finishedRoomsAtOnce, finishedRoomsMax]

/**
 * The list of finished rooms. A page may have 1,000 of them. Therefore pages that are not kept are read one at a time.
 */
export function createShelf({
  database,
  clock,
  answers,
  bus,
  onDrop,
}: {
  database: Database
  clock: Clock
  answers: PreparedAnswers
  bus: Bus
  /** Called on each `drop`, in the process that publishes it. */
  onDrop: () => void
}): Shelf {
  const pages = new SharedAnswers({ answers, bus, kind: 'shelf', clock })
  const withPermit = createSemaphore({ atOnce: 1, maxWaiting: 100, maxWaitingPerOwner: 10 })
  const list: Shelf['list'] = (readerId, query, owner) =>
    withPermit(() => listFinishedRooms(database, readerId, query), owner)

  async function readNewest(limit: number): Promise<PreparedPage> {
    // Read before the list: when a room ends between the two, the page is already out of date and is not kept.
    const keptMs = await msUntilNextEnd(database)
    const found = await listFinishedRooms(database, null, { words: [], limit: limit + 1 })
    const { shown, nextBefore } = cutPage(found, limit, cursorOfFinished)
    return { prepared: await prepareList(shown), nextBefore, ...(keptMs !== undefined && { keptMs }) }
  }

  return {
    newest: (limit) => pages.get(String(limit), () => readNewest(limit)),
    peekNewest: (limit) => pages.peek(String(limit)),
    async older(before, owner) {
      const found = await list(null, { words: [], limit: finishedRoomsAtOnce + 1, before }, owner)
      const { shown, nextBefore } = cutPage(found, finishedRoomsAtOnce, cursorOfFinished)
      return { prepared: await prepareList(shown), nextBefore }
    },
    list,
    drop() {
      keptLengths.forEach((limit) => pages.drop(String(limit)))
      onDrop()
    },
  }
}

export const cursorOfFinished = ({ endedAt, id }: FinishedRoom): string =>
  timeCursorOf({ createdAt: endedAt, id })
