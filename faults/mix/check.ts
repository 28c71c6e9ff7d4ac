import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { type Cover, coverPath } from '#contract/covers/paths.ts'
import { issuePath } from '#contract/magazine/issue.ts'
import { filesOf } from '#server/testing/backup-places.ts'
import { timeZone } from '../../scripts/testing/running-server.ts'
import { type DayText, type Journal, type Kind, kinds, deletionOf, type TrackedRow } from './journal.ts'

/** Compares the whole content of the database and the uploaded files with the journal. Returns a sentence for each fault. */
export async function findFaults(db: Client, journal: Journal, dataDir: string): Promise<string[]> {
  return [
    ...(await findIncompleteChanges(db)),
    ...(await findDisagreements(db, journal)),
    ...(await findWrongFiles(db, journal, dataDir)),
  ]
}

/** How many of the newest events of a person are stored. */
const storedEvents = 1000

const keptIssues = 24

/**
 * Each query returns the rows that only an incomplete change could leave behind. Without a fault it returns none, even while
 * people write.
 */
const incompleteChanges: Record<string, string> = {
  'a person without an address or a password': `
    select id from users where not is_anonymous
      and not (exists (select 1 from emails where user_id = users.id) and exists (select 1 from credentials where user_id = users.id))`,
  'a room without the membership of its creator': `
    select id from rooms where created_by_user_id is not null
      and not exists (select 1 from room_members where room_id = rooms.id and user_id = created_by_user_id)`,
  'a room whose counts are not those of its passages': `
    select rooms.id from rooms left join room_messages on room_id = rooms.id group by rooms.id
    having last_position <> count(position) or last_position <> coalesce(max(position), 0)
      or story_bytes <> coalesce(sum(octet_length(content) + 200), 0)`,
  'an event of a room that the room does not count': `
    select room_id from rooms join (
      select room_id, event from room_messages union all select room_id, event from room_members where event > 0
    ) events on room_id = rooms.id group by room_id, last_event
    having max(event) > last_event or count(*) <> count(distinct event)`,
  'a passage of somebody who is no member': `
    select id from room_messages where user_id is not null
      and not exists (select 1 from room_members where room_members.room_id = room_messages.room_id
        and room_members.user_id = room_messages.user_id)`,
  'an invited member without the event of the invitation': `
    select room_members.user_id, room_id from room_members
    join rooms on rooms.id = room_id join inboxes on inboxes.user_id = room_members.user_id
    where not is_public and created_by_user_id <> room_members.user_id and inboxes.last_event <= ${storedEvents}
      and (select count(*) from inbox_events where inbox_events.user_id = room_members.user_id
        and name = 'room.invited' and ids ->> 'roomId' = room_id::text) <> 1`,
  'an invited member without an inbox': `
    select user_id, room_id from room_members join rooms on rooms.id = room_id
    where not is_public and created_by_user_id <> user_id
      and not exists (select 1 from inboxes where inboxes.user_id = room_members.user_id)`,
  'an event that its inbox does not count': `
    select user_id, number from inbox_events join inboxes using (user_id) where number > last_event`,
  'a message without its event in one of the inboxes': `
    select message_id, users.id from users, lateral (
      select direct_messages.id as message_id from friendships join direct_messages on friendship_id = friendships.id
      where users.id in (low_id, high_id) order by direct_messages.created_at desc limit 50
    ) messages
    where (select count(*) from inbox_events where user_id = users.id and name = 'message'
      and ids ->> 'id' = message_id::text) <> 1`,
  'a friendship without its event in one of the inboxes': `
    select friendships.id, person_id from friendships, unnest(array[low_id, high_id]) as person_id
    left join inboxes on inboxes.user_id = person_id
    where coalesce(last_event, 0) <= ${storedEvents}
      and not exists (select 1 from inbox_events where inbox_events.user_id = person_id and name = 'friend.added'
        and ids ->> 'friendUserId' = case person_id when low_id then high_id else low_id end)`,
  'a friendship whose unread counts are not those of its messages': `
    select friendships.id from friendships left join direct_messages on friendship_id = friendships.id
    group by friendships.id
    having low_unread_count <> count(position) filter (where sender_id = high_id and position > low_read_position)
      or high_unread_count <> count(position) filter (where sender_id = low_id and position > high_read_position)
      or last_position < max(position)`,
  'a post that has a time but no day of the feed, or another day': `
    select id from posts
    where published_on is distinct from (published_at at time zone '${timeZone}')::date`,
  'a published post without exactly one entry in the audit log': `
    select posts.id from posts where post_type = 'standard'
      and (select count(*) from audit_log where action = 'post-approval' and subject_id = posts.id::text)
        <> (published_at is not null)::int`,
  'an author who has another number of approvals than of published posts': `
    select author_id from posts join inboxes on user_id = author_id
    where post_type = 'standard' and published_at is not null and last_event <= ${storedEvents} group by author_id
    having count(*) <> (select coalesce(sum((ids ->> 'count')::int), 0) from inbox_events
      where inbox_events.user_id = author_id and name = 'post.approved')`,
  'an article whose cover is not its own': `
    select id, image_url from posts where image_url like '/uploads/covers/%' and not exists (select 1 from covers
      where post_id = posts.id and image_url = format('/uploads/covers/%s_%sx%s.webp', covers.id, width, height))`,
  'an uploaded file without exactly one entry in the audit log': `
    select id from (
      select id, 'magazine-uploaded' as action from magazine_issues union all select id, 'cover-uploaded' from covers
    ) files
    where (select count(*) from audit_log where audit_log.action = files.action and subject_id = files.id::text) <> 1`,
  'issues beyond those that are kept': `select id from magazine_issues offset ${keptIssues}`,
  'a key of a change without its answer': `
    select call, key from idempotency_keys where status is null`,
}

export async function findIncompleteChanges(db: Client): Promise<string[]> {
  const found: string[] = []
  for (const [fault, query] of Object.entries(incompleteChanges)) {
    const { rows } = await db.query<Record<string, unknown>>(query)
    for (const row of rows) found.push(`${fault}: ${Object.values(row).join(', ')}`)
  }
  return found
}

/** For each kind, a query of the names of all its rows, with their ids. */
const storedRows: Record<Kind, string> = {
  person:
    'select address as text, user_id as id from emails where user_id not in (select id from users where is_admin)',
  post: 'select content as text, id from posts',
  room: 'select name as text, id from rooms',
  membership: "select room_id || ' ' || user_id as text, null as id from room_members",
  passage: 'select content as text, id from room_messages',
  message: "select convert_from(content, 'UTF8') as text, id from direct_messages",
  friendship: "select low_id || ' ' || high_id as text, null as id from friendships",
}

async function findDisagreements(db: Client, journal: Journal): Promise<string[]> {
  const faults: string[] = []
  for (const kind of kinds) {
    const { rows } = await db.query<{ text: string; id: string | null }>(storedRows[kind])
    const stored = Map.groupBy(rows, ({ text }) => text)
    const known = journal.tracked.filter((row) => row.kind === kind)
    for (const row of known) {
      const fault = faultOf(row, stored.get(row.text) ?? [])
      if (fault !== undefined) faults.push(`${kind} '${row.text}' ${fault}`)
    }
    const texts = new Set(known.map(({ text }) => text))
    // The members of a room whose creation was not acknowledged are not in the journal.
    if (kind !== 'membership')
      for (const text of stored.keys())
        if (!texts.has(text)) faults.push(`${kind} '${text}' was written by nobody`)
  }
  return [
    ...faults,
    ...(await findLostApprovals(db, journal)),
    ...(await findLostDays(db, journal)),
    ...(await findLostReadings(db, journal)),
    ...(await findWrongAudits(db, journal)),
    ...(await findLostUploads(db, journal)),
  ]
}

function faultOf(row: TrackedRow, stored: { id: string | null }[]): string | undefined {
  const deleted = deletionOf(row)
  if (stored.length > 1) return `is stored ${stored.length} times`
  if (stored.length === 0)
    return row.added === 'yes' && deleted === 'no' ? 'was acknowledged and is lost' : undefined
  if (deleted === 'yes') return 'was deleted and is stored'
  if (row.added === 'no') return 'was refused and is stored'
  const [{ id } = { id: null }] = stored
  return id !== null && row.id !== undefined && id !== row.id
    ? 'has another id than the acknowledged one'
    : undefined
}

async function findLostApprovals(db: Client, { tracked }: Journal): Promise<string[]> {
  const { rows } = await db.query<{ content: string }>(
    'select content from posts where published_at is not null',
  )
  const published = new Set(rows.map(({ content }) => content))
  return tracked.flatMap(({ kind, text, approved }) => {
    if (kind !== 'post') return []
    if (approved === 'yes' && !published.has(text))
      return [`post '${text}' was approved and is not published`]
    return approved === 'no' && published.has(text)
      ? [`post '${text}' is published and nobody approved it`]
      : []
  })
}

async function findLostDays(db: Client, journal: Journal): Promise<string[]> {
  const keyOf = (table: string, writer: string, day: string) => `${table} ${writer} ${day}`
  const { rows } = await db.query<{ key: string; text: string }>(`
    select 'diary_entries ' || address || ' ' || entry_date as key, convert_from(content, 'UTF8') as text
      from diary_entries join emails using (user_id)
    union all select 'calendar_notes ' || address || ' ' || note_date, convert_from(content, 'UTF8')
      from calendar_notes join emails using (user_id)`)
  const stored = new Map(rows.map(({ key, text }) => [key, text]))
  const faults: string[] = []
  for (const day of journal.days) {
    const key = keyOf(day.table, day.writer.text, day.day)
    const text = stored.get(key)
    stored.delete(key)
    if (!isPossible(day, text)) faults.push(`${key} holds '${text}', which is not what was last saved`)
  }
  return [...faults, ...Array.from(stored.keys(), (key) => `${key} was written by nobody`)]
}

/** The text that was last acknowledged may be stored, or one of those that came later and were not acknowledged. */
function isPossible({ writer, versions }: DayText, text: string | undefined): boolean {
  const deleted = deletionOf(writer)
  const last = versions.findLastIndex(({ added }) => added === 'yes')
  if (text === undefined) return last < 0 || deleted !== 'no'
  return deleted !== 'yes' && versions.slice(Math.max(0, last)).some((version) => version.text === text)
}

async function findLostReadings(db: Client, { readings }: Journal): Promise<string[]> {
  const { rows } = await db.query<{
    id: string
    position: number
    low: string
    lowRead: number
    highRead: number
  }>(`
    select direct_messages.id, position, low_id as low, low_read_position as "lowRead", high_read_position as "highRead"
    from direct_messages join friendships on friendships.id = friendship_id`)
  const stored = new Map(rows.map((row) => [row.id, row]))
  return readings.flatMap(({ readerId, message }) => {
    const row = stored.get(message.id!)
    if (row === undefined) return []
    const read = readerId === row.low ? row.lowRead : row.highRead
    return read < row.position ? [`message '${message.text}' was read and is unread again`] : []
  })
}

/** The deletion of an account or a room, and its entry in the audit log, are one change. */
async function findWrongAudits(db: Client, { tracked }: Journal): Promise<string[]> {
  const { rows } = await db.query<{ id: string; isStored: boolean; audits: number }>(`
    with stored as (select id::text from rooms union all select id from users), deleted as (
      select case action when 'room-deletion' then subject_id else actor_id end as id, count(*)::int as audits
      from audit_log where action in ('room-deletion', 'account-deletion') group by 1)
    select coalesce(stored.id, deleted.id) as id, stored.id is not null as "isStored", coalesce(audits, 0) as audits
    from stored full join deleted using (id)`)
  const found = new Map(rows.map((row) => [row.id, row]))
  return tracked.flatMap(({ kind, id, text }) => {
    if ((kind !== 'room' && kind !== 'person') || id === undefined) return []
    const { isStored = false, audits = 0 } = found.get(id) ?? {}
    return audits === (isStored ? 0 : 1)
      ? []
      : [`${kind} '${text}' has ${audits} entries in the audit log of its deletion`]
  })
}

/** An acknowledged upload has its row; an issue only until as many newer ones may have been uploaded as are kept. */
async function findLostUploads(db: Client, { uploads }: Journal): Promise<string[]> {
  const stored = new Set([...(await listIssues(db)).map(issuePath), ...(await listCovers(db)).map(coverPath)])
  const newest = uploads.filter(({ kind }) => kind === 'issue').slice(-keptIssues)
  return uploads.flatMap((upload) => {
    const isKept = upload.kind === 'cover' || newest.includes(upload)
    return upload.added === 'yes' && isKept && !stored.has(upload.url!)
      ? [`${upload.kind} '${upload.url}' was acknowledged and is lost`]
      : []
  })
}

const listIssues = async (db: Client) =>
  (await db.query<{ id: string }>('select id from magazine_issues')).rows.map(({ id }) => id)

const listCovers = async (db: Client) =>
  (await db.query<Cover & { bytes: number }>('select id, width, height, bytes from covers')).rows

/** Finds rows without their file, uploads that have two rows, and files that are not complete. */
export async function findWrongFiles(db: Client, { uploads }: Journal, dataDir: string): Promise<string[]> {
  const files = await waitUntilReceived(dataDir)
  const urlsByContent = new Map<string, string>()
  const wholeIssues = new Map(
    uploads.flatMap(({ content, url }) => (content === undefined ? [] : [[content, url]])),
  )
  const faults: string[] = []
  for (const id of await listIssues(db)) {
    const content = files[`magazine/${id}.pdf`]
    const { url, other } = { url: issuePath(id), other: urlsByContent.get(content ?? '') }
    if (content === undefined) faults.push(`issue '${url}' has no file`)
    else if (other !== undefined) faults.push(`issue '${url}' is the same as '${other}'`)
    else urlsByContent.set(content, url)
    const acknowledged = wholeIssues.get(content ?? '') ?? url
    if (acknowledged !== url) faults.push(`issue '${url}' has the file of '${acknowledged}'`)
  }
  for (const { bytes, ...cover } of await listCovers(db))
    if (files[`covers/${cover.id}.webp`]?.length !== bytes)
      faults.push(`cover '${coverPath(cover)}' has no file of its size`)
  // A file without a row is no fault: a killed server left it, or its issue was replaced.
  for (const [name, content] of Object.entries(files))
    if (!(name.startsWith('covers/') ? isWholeWebp(content) : wholeIssues.has(content)))
      faults.push(`file '${name}' is not whole`)
  return faults
}

/** Returns the uploaded files. The server deletes the file of a repeated upload after its answer. */
async function waitUntilReceived(dataDir: string): Promise<Record<string, string>> {
  for (const deadline = Date.now() + 5000; ; await delay(50)) {
    const files = await filesOf(join(dataDir, 'uploads'))
    const isReceiving = Object.keys(files).some((name) => name.startsWith('arriving/'))
    if (!isReceiving || Date.now() > deadline) return files
  }
}

/** The header of a WebP file contains its length without the first eight bytes. */
function isWholeWebp(content: string): boolean {
  const bytes = Buffer.from(content, 'latin1')
  return bytes.length > 8 && bytes.readUInt32LE(4) === bytes.length - 8
}
