import { sql } from 'drizzle-orm'
import type { Database, Db } from '#server/platform/database/pool.ts'
import type { StoredEvent } from './queries.ts'

/** An event that the person is to be told of while away, at the time `noticeAt`. */
export interface UntoldEvent extends StoredEvent {
  noticeAt: string
}

/** A person with an event that is due. */
export async function findPersonToTell(db: Db): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select user_id as id from inbox_events where notice_at <= (select app_now()) order by notice_at limit 1`)
  return rows[0]?.id
}

/** The events that a person is to be told of, oldest first. */
export async function listUntoldEvents(db: Db, personId: string): Promise<UntoldEvent[]> {
  const { rows } = await db.execute<Record<keyof UntoldEvent, never>>(sql`
    select number, name, ids, notice_at as "noticeAt" from inbox_events
    where user_id = ${personId} and notice_at is not null order by number`)
  return rows
}

/** The events of these numbers that still exist. */
export async function listEventsByNumber(
  db: Db,
  personId: string,
  numbers: readonly number[],
): Promise<StoredEvent[]> {
  const { rows } = await db.execute<Record<keyof StoredEvent, never>>(sql`
    select number, name, ids from inbox_events
    where user_id = ${personId} and number = any(${sql.param(numbers)}::int[]) order by number`)
  return rows
}

/** Ends the wait of events. Returns the numbers of those that still waited. Call `lockInboxesOf` first. */
export async function endWait(db: Db, personId: string, numbers: readonly number[]): Promise<number[]> {
  const { rows } = await db.execute<{ number: number }>(sql`
    update inbox_events set notice_at = null
    where user_id = ${personId} and number = any(${sql.param(numbers)}::int[]) and notice_at is not null
    returning number`)
  return rows.map(({ number }) => number)
}

/** Lets events wait longer. Call `lockInboxesOf` first. */
export async function postponeTelling(
  db: Db,
  personId: string,
  { numbers, until }: { numbers: readonly number[]; until: string },
): Promise<void> {
  await db.execute(sql`
    update inbox_events set notice_at = ${until}
    where user_id = ${personId} and number = any(${sql.param(numbers)}::int[]) and notice_at is not null`)
}

/** Ends the wait of the events that pages have got: of each person up to a number. */
export async function endWaitOfReceived(
  database: Database,
  received: ReadonlyMap<string, number>,
): Promise<void> {
  const ids = sql.param([...received.keys()])
  const numbers = sql.param([...received.values()])
  await database.transaction(async (tx) => {
    // Counters are locked first and in the order of the ids, as every change of inboxes does.
    const { rowCount } = await tx.execute(sql`
      select 1 from inboxes where user_id = any(array(
        select user_id from inbox_events where user_id = any(${ids}::text[]) and notice_at is not null))
      order by user_id for no key update`)
    if (rowCount === 0) return
    await tx.execute(sql`
      update inbox_events set notice_at = null
      from unnest(${ids}::text[], ${numbers}::int[]) as received (person_id, up_to)
      where user_id = person_id and number <= up_to and notice_at is not null`)
  })
}
