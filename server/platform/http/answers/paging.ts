import { Day, Id, Instant, PersonId } from '#contract/schemas.ts'
import { Refused } from '../refusal.ts'

/** A part of a list, and the cursor of the next part: undefined at the end of the list. */
export class Slice<Row = unknown> {
  readonly rows: Row[]
  readonly nextBefore: string | undefined

  constructor(rows: Row[], nextBefore: string | undefined) {
    this.rows = rows
    this.nextBefore = nextBefore
  }

  /** The same part with other rows. */
  with<Other>(rows: Other[]): Slice<Other> {
    return new Slice(rows, this.nextBefore)
  }
}

/** A slice of rows of which one more than `limit` was read, when there is one. */
export function sliceOf<Row>(found: readonly Row[], limit: number, cursor: (row: Row) => string): Slice<Row> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return new Slice(rows, found.length > limit && last !== undefined ? cursor(last) : undefined)
}

/** The next slice of a list by time begins after the row of this cursor. */
export interface TimeCursor {
  /** The time by which the list is ordered, which is not always the time of the creation. */
  createdAt: string
  id: string
}

/** The slice of a list by time that a query reads: at most `limit` rows after the row of the cursor. */
export interface TimeSlice {
  limit: number
  before?: TimeCursor | undefined
}

export const timeCursorOf = ({ createdAt, id }: TimeCursor): string => `${createdAt}_${id}`

/** `isIdOfList` tells the ids of people, where the list is one of people, from those of things. */
export function readTimeCursor(before: string | undefined, isIdOfList = isId): TimeCursor | undefined {
  if (before === undefined) return undefined
  const cursor = findTimeCursor(before, isIdOfList)
  if (cursor === undefined) throw badCursor()
  return cursor
}

/** The cursor that a text names exactly. */
export function findTimeCursor(text: string | undefined, isIdOfList = isId): TimeCursor | undefined {
  const [createdAt, id, ...rest] = text?.split('_') ?? []
  return isInstant(createdAt) && isIdOfList(id) && rest.length === 0 ? { createdAt, id } : undefined
}

/** Whether it is an instant that the database takes too: no 30th of February, no year 0. */
export const isInstant = (text: string | undefined): text is string =>
  Instant.safeParse(text).success && isReal(text!)

function isReal(text: string) {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text && date.getUTCFullYear() > 0
}

/** A cursor in the address of a page, whose query no schema checks. A repeated parameter is refused. */
export function cursorIn({ query }: { query: unknown }, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name]
  if (value !== undefined && typeof value !== 'string') throw badCursor()
  return value
}

/** The day behind which the next slice of a list by day begins. */
export function readDayCursor(before: string | undefined): string | undefined {
  if (before !== undefined && !Day.safeParse(before).success) throw badCursor()
  return before
}

/** The position behind which the next slice of a list by position begins. */
export function readPositionCursor(before: string | undefined): number | undefined {
  if (before === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(before)) throw badCursor()
  return Number(before)
}

export const isId = (text: string | undefined): text is string => Id.safeParse(text).success

export const isPersonId = (text: string | undefined): text is string => PersonId.safeParse(text).success

export const badCursor = () =>
  new Refused('InvalidInput', { error: 'before is a cursor of an earlier answer.' })
