import { eq, sql } from 'drizzle-orm'
import type { AwayNotificationChoices } from '#contract/away-notifications/choices.ts'
import { databaseNow } from '#server/platform/database/database-now.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { awayNotificationCauses, awayNotificationChoices } from './schema.ts'
import { nextMonday } from './times.ts'

/** Single notifications are on and digests off. */
const defaults = {
  byMail: true,
  invitations: true,
  messages: true,
  decisions: true,
  turns: true,
  weekly: false,
  quietHours: null,
  digestHour: null,
}

/** `timeZone` is that of the instance, for a person who has chosen none. */
export async function findChoices(
  db: Db,
  userId: string,
  timeZone: string,
): Promise<AwayNotificationChoices> {
  const [found] = await db
    .select()
    .from(awayNotificationChoices)
    .where(eq(awayNotificationChoices.userId, userId))
  if (found === undefined) return { ...defaults, timeZone }
  const { byMail, invitations, messages, decisions, turns, weekly, digestHour } = found
  const { quietFrom: from, quietTo: to } = found
  const quietHours = from === null || to === null ? null : { from, to }
  return {
    byMail,
    invitations,
    messages,
    decisions,
    turns,
    weekly,
    quietHours,
    digestHour,
    timeZone: found.timeZone ?? timeZone,
  }
}

export type Changes = { [Name in keyof AwayNotificationChoices]?: AwayNotificationChoices[Name] | undefined }

/** Choices that are left out do not change. Lock the person before. */
export async function saveChoices(
  db: Db,
  userId: string,
  { before, changes }: { before: AwayNotificationChoices; changes: Changes },
): Promise<void> {
  const { quietHours, weekly, ...same } = changes
  const { timeZone = before.timeZone } = changes
  const row = {
    ...same,
    ...(quietHours !== undefined && {
      quietFrom: quietHours?.from ?? null,
      quietTo: quietHours?.to ?? null,
    }),
    ...(weekly !== undefined && {
      weekly,
      weeklyAt: weekly ? nextMonday(await databaseNow(db), timeZone) : null,
    }),
  }
  if (Object.values(row).every((value) => value === undefined)) return
  await db
    .insert(awayNotificationChoices)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: awayNotificationChoices.userId, set: row })
}

/** A person whose weekly digest is due. */
export async function findPersonOfDueWeekly(db: Db): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select user_id as id from notice_choices where weekly_at <= (select app_now()) order by weekly_at limit 1`)
  return rows[0]?.id
}

export async function setNextWeekly(db: Db, userId: string, weeklyAt: string): Promise<void> {
  await db.update(awayNotificationChoices).set({ weeklyAt }).where(eq(awayNotificationChoices.userId, userId))
}

/** To how many people a causer may cause mails within a day. */
const peopleMax = 30

/**
 * Counts that a person (the causer) causes a mail to another one. Returns false, and counts nothing, when the causer has caused mails
 * to too many people within a day.
 */
export async function countCausedMail(db: Db, causerId: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into notice_causes (causer_id, user_id, at)
    select ${causerId}::text, ${userId}::text, moment.at from (select app_now() as at offset 0) moment
    where (
      select count(*) from notice_causes
      where causer_id = ${causerId} and user_id <> ${userId} and notice_causes.at > moment.at - interval '1 day'
    ) < ${peopleMax}
    on conflict (causer_id, user_id) do update set at = excluded.at`)
  return rowCount === 1
}

export const purgeCausedMails = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, awayNotificationCauses.at, sql`app_now() - interval '1 day'`, signal)
