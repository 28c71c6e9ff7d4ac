import type { ReadersTurn, RoomTurn } from '#contract/rooms/table/table.ts'
import { isBlank } from '#contract/text.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { dueAt } from './next-table.ts'
import type { Table } from './table.ts'
import { type FoundTable, findTable, instantOf } from './table-queries.ts'

/** The turn of a room as all readers see it. */
export function roomTurnOf(roomId: string, { table, names }: Pick<FoundTable, 'table' | 'names'>): RoomTurn {
  const { revision, number, holderId, turnEndsAt, isLast } = table
  const seats = inOrder(table).flatMap(({ id, state, words }) =>
    state === 'ready' || state === 'away' ? [{ userId: id, name: names.get(id) ?? null, state, words }] : [],
  )
  const waitingCount = lineOf(table).length
  return { roomId, revision, number, holderId, endsAt: instantOf(turnEndsAt), isLast, seats, waitingCount }
}

/** The turn of a room as one reader sees it; undefined for a free room. */
export async function findReadersTurn(
  db: Db,
  roomId: string,
  readerId: string | null,
): Promise<{ turn: ReadersTurn; isDue: boolean } | undefined> {
  const found = await findTable(db, roomId, readerId)
  if (found === undefined) return undefined
  const { table, now, newestPassage } = found
  const place = lineOf(table).findIndex(({ id }) => id === readerId) + 1
  const holdsTurn = table.turnEndsAt !== null && now < table.turnEndsAt
  const turn = {
    ...roomTurnOf(roomId, found),
    now: new Date(now).toISOString(),
    placeInLine: place === 0 ? null : place,
    tail: newestPassage !== null && holdsTurn ? tailOf(newestPassage) : null,
  }
  return { turn, isDue: now >= (dueAt(table) ?? Infinity) }
}

const tailMax = 200

/** The end of the last line that is not blank. */
function tailOf(content: string): string {
  const line = content.split('\n').findLast((each) => !isBlank(each)) ?? ''
  return [...line].slice(-tailMax).join('')
}

const inOrder = ({ members }: Table) => members.toSorted((a, b) => a.seat - b.seat)
const lineOf = (table: Table) => inOrder(table).filter(({ state }) => state === 'waiting')
