import { and, desc, eq, getTableColumns, inArray, isNotNull, sql } from 'drizzle-orm'
import type { BouncedAddress, MailKind, UnsentMail } from '#contract/mails/mail.ts'
import { emails, lockPeople, lockPerson } from '#server/features/account/index.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'
import type { TimeSlice } from '#server/platform/http/answers/paging.ts'
import { onOneLine } from '#server/platform/mail/send-mail.ts'
import type { Bounce } from './bounce-reports.ts'
import { mailBounces, mails } from './schema.ts'

/** Longer than one attempt takes, so that no other process sends the mail meanwhile. */
const leaseSeconds = 120
const retryDays = 2
/** So that the last attempt, which may begin late, is still made. */
const graceHours = 1
const failedDays = 30
const failedMax = 500

interface NewMail {
  id: string
  kind: MailKind
  userId?: string
  address?: string
  /** The events of the inbox of the person that the mail is about. */
  eventNumbers?: number[]
  /** When the mail is sent; left out, now. */
  attemptAt?: string
}

/** Adds a mail to the queue, in the transaction of its cause. One statement. */
export async function addMail(db: Db, mail: NewMail): Promise<void> {
  await db.insert(mails).values({
    attemptAt: sql`app_now()`,
    ...mail,
    createdAt: sql`app_now()`,
    giveUpAt: sql`app_now() + make_interval(days => ${retryDays})`,
  })
}

export interface TakenMail {
  id: string
  kind: MailKind
  userId: string | null
  address: string | null
  eventNumbers: number[] | null
  createdAt: string
  attempts: number
  /** Nobody tried in time, for example while the server was stopped. */
  isTooLate: boolean
}

/** Takes the next mail under a lease: until its end no other process takes the mail. */
export async function takeMail(db: Db): Promise<TakenMail | undefined> {
  const { rows } = await db.execute<{ [K in keyof TakenMail]: TakenMail[K] }>(sql`
    update mails set attempts = attempts + 1, failure = null, attempt_at = app_now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from mails where failed_at is null and attempt_at <= (select app_now())
      order by attempt_at limit 1 for update skip locked)
    returning id, kind, user_id as "userId", address, event_numbers as "eventNumbers", created_at as "createdAt", attempts,
      give_up_at < app_now() - make_interval(hours => ${graceHours}) as "isTooLate"`)
  return rows[0]
}

/** A condition: no process has taken the mail since. */
const isStillTaken = ({ id, attempts }: TakenMail) =>
  and(eq(mails.id, id), eq(mails.attempts, attempts), sql`failed_at is null`)

/** Removes a mail that was sent, or that nobody needs any more. */
export async function removeMail(db: Db, mail: TakenMail): Promise<void> {
  await db.delete(mails).where(isStillTaken(mail))
}

/** Removes the mails to the address of a person that were asked for by address, while it is not looked up yet whose address it is. */
export async function removeMailsTo(db: Db, userId: string): Promise<void> {
  await deleteMailsTo(db, userId)
}

/** The statement of `removeMailsTo`, which is not executed before it is awaited. */
export function deleteMailsTo(db: Db, userId: string) {
  const address = db.select({ address: emails.address }).from(emails).where(eq(emails.userId, userId))
  return db.delete(mails).where(inArray(mails.address, address))
}

/** Stores whose address the mail goes to. Locks the person first, as the deletion of an account does. */
export async function setAddressee(db: Database, mail: TakenMail, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (await lockPerson(tx, userId))
      await tx.update(mails).set({ userId, address: null }).where(isStillTaken(mail))
  })
}

/** After a minute, then twice as long each time, at most four hours. */
const longestPauseMinutes = 240

/** Plans the next attempt. Gives up when it would begin too late, or when the refusal is final. */
export async function postponeMail(
  db: Db,
  mail: TakenMail,
  { failure, isFinal }: { failure: string; isFinal: boolean },
): Promise<void> {
  const minutes = Math.min(2 ** Math.min(mail.attempts - 1, 10), longestPauseMinutes)
  await db.execute(sql`
    with next as materialized (
      select now, now + make_interval(mins => ${minutes}::int) as at from (select app_now() as now offset 0) as clock)
    update mails set failure = ${failure}, attempt_at = next.at,
      failed_at = case when ${isFinal} or next.at > give_up_at then next.now end
    from next
    where ${isStillTaken(mail)}`)
}

/** The mails that could not be sent, the last one first. */
export const listFailedMails = (db: Db, { limit, before }: TimeSlice): Promise<UnsentMail[]> =>
  db
    .select({
      id: mails.id,
      kind: mails.kind,
      address: emails.address,
      createdAt: mails.createdAt,
      failedAt: sql<string>`${mails.failedAt}`,
      failure: sql<string>`coalesce(${mails.failure}, '')`,
    })
    .from(mails)
    .leftJoin(emails, eq(emails.userId, mails.userId))
    .where(and(isNotNull(mails.failedAt), isAfter(before, mails.failedAt, mails.id)))
    .orderBy(desc(mails.failedAt), desc(mails.id))
    .limit(limit)

/** Puts a failed mail into the queue again. Returns false when there is none with this id. */
export async function requeueMail(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db
    .update(mails)
    .set({
      attempts: 0,
      attemptAt: sql`app_now()`,
      giveUpAt: sql`app_now() + make_interval(days => ${retryDays})`,
      failedAt: null,
    })
    .where(and(eq(mails.id, id), isNotNull(mails.failedAt)))
  return rowCount === 1
}

/** Keeps the newest failed mails, each for 30 days. */
export async function purgeMails(db: Db, signal?: AbortSignal): Promise<void> {
  await deleteBefore(db, mails.failedAt, sql`app_now() - make_interval(days => ${failedDays})`, signal)
  await db.execute(sql`
    delete from mails where id in (
      select id from mails where failed_at is not null
      order by failed_at desc, id desc offset ${failedMax}::int)`)
}

/** Ends mails to addresses. Returns the people who have one of them and got mails until now. */
export async function addBounces(db: Db, bounces: Bounce[]): Promise<string[]> {
  const bounceOf = new Map(bounces.map((bounce) => [bounce.address, bounce]))
  const found = await db
    .select({ userId: emails.userId, address: emails.address })
    .from(emails)
    .where(inArray(emails.address, [...bounceOf.keys()]))
  // A person who is deleted at this moment has no bounce.
  const locked = new Set(
    await lockPeople(
      db,
      found.map(({ userId }) => userId),
    ),
  )
  const rows = found.flatMap(({ userId, address }) => {
    const { kind, reason } = bounceOf.get(address)!
    return locked.has(userId)
      ? { userId, kind, reason: onOneLine(reason).slice(0, 300), at: sql`app_now()` }
      : []
  })
  if (rows.length === 0) return []
  const added = await db
    .insert(mailBounces)
    .values(rows)
    .onConflictDoNothing()
    .returning({ userId: mailBounces.userId })
  return added.map(({ userId }) => userId)
}

/** Why the address of a person gets no more mails; undefined when it gets them. */
export async function findBounce(
  db: Db,
  userId: string,
): Promise<Pick<BouncedAddress, 'kind' | 'at'> | undefined> {
  const { kind, at } = mailBounces
  const [found] = await db.select({ kind, at }).from(mailBounces).where(eq(mailBounces.userId, userId))
  return found
}

export async function removeBounce(db: Db, userId: string): Promise<void> {
  await db.delete(mailBounces).where(eq(mailBounces.userId, userId))
}

export const listBounces = (db: Db, { limit, before }: TimeSlice): Promise<BouncedAddress[]> =>
  db
    .select({ ...getTableColumns(mailBounces), address: emails.address })
    .from(mailBounces)
    .innerJoin(emails, eq(emails.userId, mailBounces.userId))
    .where(isAfter(before, mailBounces.at, mailBounces.userId))
    .orderBy(desc(mailBounces.at), desc(mailBounces.userId))
    .limit(limit)
