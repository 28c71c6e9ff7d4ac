import { type SQL, sql } from 'drizzle-orm'
import type {
  AbuseReport,
  ReportAction,
  ReportCategory,
  ReportKind,
  ReportOutcome,
} from '#contract/abuse-reports/report.ts'
import type { ClosedReport } from '#contract/inbox/notification.ts'
import { deletedAuthorName } from '#contract/feed/post.ts'
import { hasHiddenTexts, lockPeople, personName } from '#server/features/account/index.ts'
import { isKeyCurrent, type Vault } from '#server/features/day-texts/index.ts'
import { findPostToReport, posts } from '#server/features/feed/index.ts'
import { findMessageToReport } from '#server/features/messages/index.ts'
import { findAsideToReport, findPassageToReport } from '#server/features/rooms/index.ts'
import { deleteBefore } from '#server/platform/database/delete-before.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { isId, type TimeCursor } from '#server/platform/http/answers/paging.ts'
import { abuseReports } from './schema.ts'
import { copyId, decryptTexts, reasonId, type StoredTexts } from './texts.ts'

export interface Copied {
  authorId: string | null
  authorName: string
  /** Of a reported person only. */
  authorUsername?: string
  content: string
  /** Of a person: when the account was made. */
  createdAt: string
}

/** What a reader reports, as it is now. Returns undefined for what does not exist or what the reader may not see. */
export async function findReported(
  db: Db,
  vault: Vault,
  readerId: string,
  { kind, targetId }: { kind: ReportKind; targetId: string },
): Promise<Copied | undefined> {
  if (kind === 'person') return findPerson(db, targetId)
  if (!isId(targetId)) return undefined
  if (kind === 'post') return findPostToReport(db, targetId)
  const found = await findTextToReport[kind](db, vault, readerId, targetId)
  if (found === undefined) return undefined
  const { authorId, content, createdAt } = found
  const author = authorId === null ? undefined : await findPerson(db, authorId)
  return { authorId, authorName: author?.authorName ?? deletedAuthorName, content, createdAt }
}

/** The texts whose author the report names by the account. */
const findTextToReport = {
  message: findMessageToReport,
  passage: (db: Db, _vault: Vault, readerId: string, id: string) => findPassageToReport(db, readerId, id),
  aside: findAsideToReport,
}

/** Admins see the name also where a passage does not carry it. */
async function findPerson(db: Db, id: string): Promise<Copied | undefined> {
  const { rows } = await db.execute<Copied & Record<string, unknown>>(sql`
    select id as "authorId", ${personName('users')} as "authorName", username as "authorUsername", introduction as content,
      created_at as "createdAt" from users
    where id = ${id} and not is_anonymous`)
  return rows[0]
}

const erasableTables = { post: 'posts', passage: 'room_messages', aside: 'room_asides' } as const
export type ErasableKind = keyof typeof erasableTables
export const isErasable = (kind: ReportKind): kind is ErasableKind => kind in erasableTables

/**
 * Keeps a text as it is until the report of it is committed, so that an erasure finds the copy. Locks people first, as every
 * change does.
 */
export async function lockReported(
  db: Db,
  kind: ErasableKind,
  { targetId, reporterId, authorId }: { targetId: string; reporterId: string; authorId: string | null },
): Promise<void> {
  await db.execute(sql`
    select 1 from users where id = any(array[${reporterId}, ${authorId}]::text[]) order by id for key share`)
  await db.execute(sql`
    select 1 from ${sql.identifier(erasableTables[kind])} where id = ${targetId}::uuid for share`)
}

/** Locks a text before the reports of it change: a reader who reports it locks the text first, too. */
export async function lockErasable(db: Db, kind: ErasableKind, id: string): Promise<void> {
  await db.execute(sql`
    select 1 from ${sql.identifier(erasableTables[kind])} where id = ${id}::uuid for no key update`)
}

interface PeopleOfReports {
  kind: ReportKind
  targetId: string
  adminId: string
  authorId: string | null
}

/**
 * Locks the admin, the author, and the people whom reports about a thing name: no account of theirs is deleted while the
 * reports and the inboxes of these people change.
 */
export async function lockPeopleOfReports(
  db: Db,
  { kind, targetId, adminId, authorId }: PeopleOfReports,
): Promise<void> {
  const { rows } = await db.execute<{ personId: string }>(sql`
    select person_id as "personId" from abuse_reports, unnest(array[reporter_id, closed_by_id]) as person_id
    where kind = ${kind} and target_id = ${targetId} and person_id is not null`)
  const ofReports = rows.map(({ personId }) => personId)
  await lockPeople(db, [adminId, ...(authorId === null ? [] : [authorId]), ...ofReports])
}

/** Erases the copies of a text that was erased. The reports stay. */
export async function eraseReportCopies(db: Db, kind: ErasableKind, targetId: string): Promise<void> {
  await db.execute(sql`
    with locked as (
      select id from abuse_reports where kind = ${kind} and target_id = ${targetId} order by id for no key update)
    update abuse_reports set content = null from locked where abuse_reports.id = locked.id`)
}

interface NewReport {
  id: string
  kind: ReportKind
  targetId: string
  category: ReportCategory
  reporterId: string
  reason: string
  copied: Copied
}

/**
 * Adds a report. Returns the id of the open report that the reporter has made about the same thing before, if there is one.
 * Returns undefined when the key was changed after this process started.
 */
export async function addReport(db: Db, vault: Vault, report: NewReport): Promise<string | undefined> {
  vault.refuseIfLocked()
  const { id, kind, targetId, category, reporterId, reason, copied } = report
  const { cipher } = vault
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into abuse_reports
      (id, kind, target_id, category, reporter_id, reason, reported_id, author_name, author_username, content, written_at,
        key_id, created_at)
    select ${id}::uuid, ${kind}::text, ${targetId}::text, ${category}::text, ${reporterId}::text,
      ${cipher.encrypt(reason, reasonId(id))}::bytea, ${copied.authorId}::text, ${copied.authorName}::text,
      ${copied.authorUsername ?? null}::text, ${cipher.encrypt(copied.content, copyId(id))}::bytea,
      ${copied.createdAt}::timestamptz, ${cipher.keyId}::text, app_now()
    where ${isKeyCurrent(vault)}
    on conflict (reporter_id, kind, target_id) where closed_at is null do update set kind = excluded.kind
    returning id`)
  return rows[0]?.id
}

type ListedFields = Omit<AbuseReport, 'reason' | 'copy' | 'status'>
interface ListedRow extends ListedFields, StoredTexts, Record<string, unknown> {
  id: string
  authorId: string | null
  authorName: string
  authorUsername: string | null
  writtenAt: string
}

/** Reads rows of `abuse_reports` as `reports`, with their people and targets. */
const listedFields = sql`reports.id, kind, target_id as "targetId", category, reporter_id as "reporterId",
  ${personName('reporters')} as "reporterName", reason, content, key_id as "keyId", reported_id as "authorId",
  author_name as "authorName", author_username as "authorUsername", written_at as "writtenAt", reports.created_at as "createdAt", closed_at as "closedAt",
  ${personName('closers')} as "closedBy", outcome, actions, note, exists, room_id as "roomId",
  is_in_story as "isInStory"`

const withPeople = sql`left join users reporters on reporters.id = reporter_id
  left join users closers on closers.id = closed_by_id`

/** For each report: the room of a passage that exists or was erased or of an aside that exists, whether it is a public story, and whether the reported thing can be found. */
const joinTarget = sql`
  cross join lateral (select case when kind <> 'person' then target_id::uuid end as thing_id) thing
  left join lateral (
    select room_id, erasing_event from room_messages where kind = 'passage' and id = thing_id
    union all select room_id, null from room_asides where kind = 'aside' and id = thing_id) in_room on true
  cross join lateral (
    select exists (select 1 from rooms where id = room_id and is_public and expires_at <= app_now()) as is_in_story) story
  cross join lateral (select case kind
    when 'passage' then room_id is not null and erasing_event is null
    when 'aside' then room_id is not null
    when 'message' then exists (select 1 from direct_messages where id = thing_id)
    when 'post' then exists (select 1 from posts where id = thing_id and is_visible and not ${hasHiddenTexts(posts.authorId)})
    else reported_id is not null end as exists) found`

function toAbuseReport(vault: Vault, row: ListedRow): AbuseReport {
  const { content: text, reason } = decryptTexts(vault, row)
  const content = text === null ? null : withNames(row, text)
  const { authorId, authorName, writtenAt: createdAt, closedAt } = row
  return {
    ...row,
    reason,
    copy: { content, authorId, authorName, createdAt },
    status: closedAt === null ? 'open' : 'closed',
  }
}

/** Of a person who has an account, the copy begins with the name and the username. */
function withNames({ authorName, authorUsername }: ListedRow, text: string): string {
  if (authorUsername === null) return text
  return [`${authorName} (${authorUsername})`, text].filter((part) => part !== '').join('\n\n')
}

/** The position after which the next page begins. */
export interface ReportCursor extends TimeCursor {
  isOpen: boolean
}

export const reportCursorOf = ({ status, createdAt, id }: AbuseReport): string =>
  `${status}_${createdAt}_${id}`

/** A page ends with the report that reaches this number of stored bytes. */
const pageBytes = 512 * 1024

interface ListedReports {
  limit: number
  before: ReportCursor | undefined
  isOpen: boolean | undefined
  /** Leaves out the reports about this person and about texts of this person. */
  notAboutId: string | undefined
}

/** Open reports first, then the newest. */
export async function listReports(
  db: Db,
  vault: Vault,
  { limit, before, isOpen, notAboutId }: ListedReports,
): Promise<{ reports: AbuseReport[]; hasMore: boolean }> {
  vault.refuseIfLocked()
  const conditions: SQL[] = [sql`true`]
  if (isOpen !== undefined) conditions.push(sql`(closed_at is null) = ${isOpen}::boolean`)
  if (notAboutId !== undefined) conditions.push(sql`reported_id is distinct from ${notAboutId}`)
  if (before !== undefined)
    conditions.push(
      sql`((closed_at is null), created_at, id) < (${before.isOpen}::boolean, ${before.createdAt}::timestamptz, ${before.id}::uuid)`,
    )
  const openFirst = sql`order by (closed_at is null) desc, created_at desc, id desc`
  const { rows } = await db.execute<ListedRow & { foundCount: number }>(sql`
    select ${listedFields}, found_count as "foundCount"
    from (
      select *, count(*) over ()::int as found_count, sum(bytes) over (${openFirst}) - bytes as bytes_before
      from (select *, coalesce(octet_length(content), 0) as bytes from abuse_reports where ${sql.join(conditions, sql` and `)} ${openFirst} limit ${limit + 1}) page
    ) reports
    ${withPeople} ${joinTarget}
    where bytes_before < ${pageBytes}::int
    order by (closed_at is null) desc, reports.created_at desc, reports.id desc`)
  const onPage = rows.slice(0, limit)
  return {
    reports: onPage.map((row) => toAbuseReport(vault, row)),
    hasMore: (rows[0]?.foundCount ?? 0) > onPage.length,
  }
}

/** How many reports are open, without those about this person or about texts of this person. */
export const countOpenReports = (db: Db, exceptOf: string | undefined): Promise<number> =>
  db.$count(
    abuseReports,
    exceptOf === undefined
      ? sql`closed_at is null`
      : sql`closed_at is null and reported_id is distinct from ${exceptOf}`,
  )

export async function findReport(db: Db, vault: Vault, id: string): Promise<AbuseReport | undefined> {
  vault.refuseIfLocked()
  const { rows } = await db.execute<ListedRow>(sql`
    select ${listedFields} from abuse_reports reports ${withPeople} ${joinTarget} where reports.id = ${id}::uuid`)
  return rows[0] && toAbuseReport(vault, rows[0])
}

interface Closing {
  id: string
  adminId: string
  outcome: ReportOutcome
  note: string
  actions: readonly ReportAction[]
}

/**
 * Returns the people of the report, null after they have deleted their accounts; undefined when the report is closed or does
 * not exist. Call `lockPeopleOfReports` first, as every change locks people first.
 */
export async function closeReport(
  db: Db,
  { id, adminId, outcome, note, actions }: Closing,
): Promise<{ reporterId: string | null; authorId: string | null } | undefined> {
  const { rows } = await db.execute<{ reporterId: string | null; authorId: string | null }>(sql`
    update abuse_reports set closed_at = app_now(), closed_by_id = ${adminId}, outcome = ${outcome}, note = ${note},
      actions = ${sql.param([...actions])}::text[]
    where id = ${id}::uuid and closed_at is null
    returning reporter_id as "reporterId", reported_id as "authorId"`)
  return rows[0]
}

export async function isClosedAs(db: Db, { id, adminId, outcome, note, actions }: Closing): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select 1 from abuse_reports
    where id = ${id}::uuid and closed_by_id = ${adminId} and outcome = ${outcome} and note = ${note}
      and actions = ${sql.param([...actions])}::text[]`)
  return rowCount === 1
}

/** The closed reports of a person with these ids, as the person is notified of them. */
export async function listClosedReportsOf(
  db: Db,
  reporterId: string,
  ids: string[],
): Promise<ClosedReport[]> {
  const { rows } = await db.execute<ClosedReport>(sql`
    select id, kind, outcome, actions, closed_at as "closedAt" from abuse_reports
    where id = any(${sql.param(ids)}::uuid[]) and reporter_id = ${reporterId} and closed_at is not null`)
  return rows
}

/**
 * Deletes a closed report that outlived an account only because it was open: about a person who has deleted the account or an
 * aside of this person, or about a message when one of its two people has.
 */
export async function removeReportOfDeletedPeople(db: Db, id: string): Promise<void> {
  await db.execute(sql`
    delete from abuse_reports
    where id = ${id}::uuid and ((kind in ('message', 'aside', 'person') and reported_id is null)
      or (kind = 'message' and reporter_id is null))`)
}

const keptDays = 180

/** Deletes reports that were closed long ago, with their copies. */
export const purgeAbuseReports = (db: Db, signal?: AbortSignal): Promise<void> =>
  deleteBefore(db, abuseReports.closedAt, sql`app_now() - make_interval(days => ${keptDays})`, signal)
