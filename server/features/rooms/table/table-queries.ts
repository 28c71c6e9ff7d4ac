import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { isSlow, pausingMax, type TurnRule } from '#contract/rooms/table/table.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { isWithheld, shownName } from '../passages.ts'
import { lockRoom } from '../queries.ts'
import { rooms } from '../schema.ts'
import { dueAt, nextTable } from './next-table.ts'
import type { Member, Table, TableEvent, TurnRefusal } from './table.ts'

export interface FoundTable {
  table: Table
  /** The clock of the database, in milliseconds. */
  now: number
  /** The names of the members who sign with them. */
  names: Map<string, string | null>
  isFolded: boolean
  /** The newest passage, where the reader holds the turn of a folded room. */
  newestPassage: string | null
}

type MemberRow = Member & { name: string | null }

type Row = Record<string, unknown> &
  Omit<Table, 'rule' | 'turnMs' | 'isSlow' | 'members'> &
  Pick<FoundTable, 'now' | 'isFolded' | 'newestPassage'> & {
    rule: TurnRule
    turnSeconds: number
    members: MemberRow[]
  }

const msOf = (column: string) => sql`(extract(epoch from ${sql.raw(column)}) * 1000)::float8`

/**
 * The table of a room with turns, with its seated and waiting members and the reader; undefined for other rooms. One
 * statement reads the holder and the newest passage: with two, a passage that is added between them would be shown to the
 * previous holder.
 */
export async function findTable(
  db: Db,
  roomId: string,
  readerId: string | null = null,
): Promise<FoundTable | undefined> {
  const { rows } = await db.execute<Row>(sql`
    select rooms.turns as rule, turn_seconds as "turnSeconds", ${msOf('expires_at')} as "roomEndsAt",
      ended_at is not null as "isEnded", turn_revision as revision, turn as number, turn_holder as "holderId",
      ${msOf('turn_ends_at')} as "turnEndsAt", ${msOf('turn_lease_at')} as "leaseEndsAt", is_last_turn as "isLast",
      floor(extract(epoch from app_now()) * 1000)::float8 as now, is_folded as "isFolded",
      array(select user_id from room_messages where room_id = rooms.id order by position desc limit ${pausingMax}) as "lastAuthorIds",
      (select coalesce(json_agg(json_build_object('id', users.id, 'seat', coalesce(seat, 0),
          'state', coalesce(table_state, 'absent'), 'missedCount', missed_turns, 'words', words,
          'waitsSince', waits_since, 'awaySince', ${msOf('away_since')}, 'name', ${shownName})), '[]')
        from room_members join users on users.id = user_id
        where room_id = rooms.id and removed_at is null and (seat is not null or user_id = ${readerId})) as members,
      case when is_folded and turn_holder = ${readerId} then (
        select content from room_messages
        where room_id = rooms.id and position = last_position and not ${isWithheld}) end as "newestPassage"
    from rooms where id = ${roomId} and turns <> 'free'`)
  const [row] = rows
  if (row === undefined || row.rule === 'free') return undefined
  const { turnSeconds, members, now, isFolded, newestPassage, rule, ...stored } = row
  return {
    table: {
      ...stored,
      rule,
      turnMs: turnSeconds * 1000,
      isSlow: isSlow({ turnSeconds }),
      members: members.map(({ name: _name, ...member }) => member),
    },
    names: new Map(members.map(({ id, name }) => [id, name])),
    now,
    isFolded,
    newestPassage,
  }
}

/** A table before and after an event, and the time of the event. */
interface ChangedTable {
  before: Table
  after: Table
  now: number
}

/**
 * Applies an event to the table of a room, which stays locked until the end of the transaction; undefined when there is
 * none. `more` changes other columns of the room. A transaction updates the row once: at a second update Postgres locks
 * the creator, who may be waiting for the room in order to leave it.
 */
export async function changeTable(
  db: Db,
  roomId: string,
  event: TableEvent,
  more: PgUpdateSetSource<typeof rooms> = {},
): Promise<ChangedTable | TurnRefusal | undefined> {
  await lockRoom(db, roomId)
  const memberId = 'memberId' in event ? event.memberId : null
  const found = await findTable(db, roomId, memberId)
  if (found === undefined) return undefined
  const { table: before, now } = found
  const after = nextTable(before, event, now)
  if (typeof after === 'string') return after
  await saveTable(db, roomId, { before, after, now, more })
  return { before, after, now }
}

async function saveTable(
  db: Db,
  roomId: string,
  { before, after, now, more }: ChangedTable & { more: PgUpdateSetSource<typeof rooms> },
): Promise<void> {
  const hasEnded = after.isEnded && !before.isEnded
  const isNewTurn = after.number !== before.number
  const beganAt = after.isSlow && after.holderId !== null ? instantOf(now) : null
  await db
    .update(rooms)
    .set({
      ...more,
      turn: after.number,
      turnRevision: after.revision,
      turnHolder: after.holderId,
      turnEndsAt: instantOf(after.turnEndsAt),
      turnLeaseAt: instantOf(after.leaseEndsAt),
      isLastTurn: after.isLast,
      turnDueAt: instantOf(dueAt(after)),
      ...((isNewTurn || after.holderId === null) && { turnBeganAt: beganAt, turnRemindAt: beganAt }),
      ...(hasEnded && { endedAt: instantOf(after.roomEndsAt), expiresAt: instantOf(after.roomEndsAt)! }),
    })
    .where(eq(rooms.id, roomId))
  const known = new Map(before.members.map((member) => [member.id, JSON.stringify(member)]))
  const changed = after.members.filter((member) => known.get(member.id) !== JSON.stringify(member))
  if (changed.length === 0) return
  const rows = changed.map(({ state, seat, awaySince, ...member }) => ({
    ...member,
    state: state === 'absent' ? null : state,
    seat: state === 'absent' ? null : seat,
    awaySince: instantOf(awaySince),
  }))
  await db.execute(sql`
    update room_members set table_state = new.state, seat = new.seat, missed_turns = "missedCount", words = new.words,
      waits_since = "waitsSince", away_since = "awaySince"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as new
      (id text, state text, seat int, "missedCount" int, words int, "waitsSince" int, "awaySince" timestamptz)
    where room_id = ${roomId} and user_id = new.id`)
}

export const instantOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
