import { copyFile, cp, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { HttpClient } from '../../scripts/testing/http-client.ts'
import { removeDataFolder, startServer } from '../../scripts/testing/running-server.ts'
import { connectToDatabase, makeUsedFolder } from '../instance.ts'
import { findFaults } from './check.ts'
import { deletionOf, type Journal } from './journal.ts'
import { startMixedChanges } from './mixed-changes.ts'

let db: Client
let journal: Journal
let unexpected: string[]
let dataDir: string
let end: () => Promise<void>

beforeAll(async () => {
  dataDir = await makeUsedFolder()
  const server = await startServer({ dataDir })
  end = async () => {
    await db?.end()
    await server.end('SIGKILL')
    await removeDataFolder(dataDir)
  }
  const changes = await startMixedChanges({
    client: () => new HttpClient(() => server.url),
    seed: 7,
    hasUploads: true,
  })
  await changes.untilMore(400)
  const { tracked, readings, uploads } = changes.journal
  const hasAll = () =>
    readings.length > 0 &&
    tracked.some(({ kind, deleted }) => kind === 'person' && deleted === 'yes') &&
    tracked.some(({ approved, text }) => approved === 'yes' && text.startsWith('Post')) &&
    tracked.some(({ added, text }) => added === 'yes' && text.startsWith('Article')) &&
    // Of a person who joined: the membership of a creator or of an invited friend lies within the room alone.
    tracked.some(
      (row) =>
        row.kind === 'membership' && row.within.length > 1 && row.added === 'yes' && deletionOf(row) === 'no',
    ) &&
    uploads.filter(({ kind }) => kind === 'issue').length > 1
  while (!hasAll()) await changes.untilMore(10)
  await changes.finish()
  journal = changes.journal
  unexpected = changes.unexpected
  db = await connectToDatabase(dataDir)
})
afterAll(() => end())

/** A message that is unread, so that its loss changes the count of its friendship. */
const unread = `select direct_messages.id from direct_messages join friendships on friendships.id = friendship_id
  where position > case when sender_id = low_id then high_read_position else low_read_position end limit 1`

const planted: { fault: string; sql: string; found: RegExp }[] = [
  {
    fault: 'a lost post',
    sql: 'delete from posts where id = (select id from posts where author_id is not null limit 1)',
    found: /^post '.+' was acknowledged and is lost$/,
  },
  {
    fault: 'a post that is stored twice',
    sql: `insert into posts (id, content, author_name, author_id, post_type, created_at, content_digest)
      select gen_random_uuid(), content, author_name, author_id, post_type, created_at, content_digest from posts limit 1`,
    found: /^post '.+' is stored 2 times$/,
  },
  {
    fault: 'a post that nobody wrote',
    sql: `update posts set content = 'Nobody' where id = (select id from posts limit 1)`,
    found: /^post 'Nobody' was written by nobody$/,
  },
  {
    fault: 'a post with another id than the answer',
    sql: `with one as materialized (select id from posts limit 1),
        words as (delete from post_words where post_id = (select id from one))
      update posts set id = gen_random_uuid() where id = (select id from one)`,
    found: /^post '.+' has another id than the acknowledged one$/,
  },
  {
    fault: 'a lost approval',
    sql: `update posts set published_at = null, published_on = null
      where id = (select id from posts where published_at is not null limit 1)`,
    found: /^post '.+' was approved and is not published$/,
  },
  {
    fault: 'a published post without a day',
    sql: `update posts set published_on = null where id = (select id from posts where published_at is not null limit 1)`,
    found: /^a post that has a time but no day of the feed/,
  },
  {
    fault: 'a published post on the day before',
    sql: `update posts set published_on = published_on - 1
      where id = (select id from posts where published_at is not null limit 1)`,
    found: /^a post that has a time but no day of the feed, or another day/,
  },
  {
    fault: 'an approval without its entry in the audit log',
    sql: `delete from audit_log where id = (select id from audit_log where action = 'post-approval' limit 1)`,
    found: /^a published post without exactly one entry in the audit log/,
  },
  {
    fault: 'an approval without its event',
    sql: `delete from inbox_events where ctid = (select ctid from inbox_events where name = 'post.approved' limit 1)`,
    found: /^an author who has another number of approvals/,
  },
  {
    fault: 'a person without a password',
    sql: 'delete from credentials where user_id = (select user_id from emails order by address desc limit 1)',
    found: /^a person without an address or a password/,
  },
  {
    fault: 'a person who was lost',
    sql: `delete from emails where address = 'person1@example.org'`,
    found: /^person 'person1@example.org' was acknowledged and is lost$/,
  },
  {
    fault: 'an account whose deletion was undone',
    sql: `with back as (insert into users (id, created_at) values ('0123456789', now()) returning id)
      insert into emails (address, user_id) select $1, id from back`,
    found: /^person '.+' was deleted and is stored$/,
  },
  {
    fault: 'a lost diary entry',
    sql: 'delete from diary_entries where ctid = (select ctid from diary_entries limit 1)',
    found: /^diary_entries .+ holds 'undefined'/,
  },
  {
    fault: 'an older diary entry',
    sql: `update diary_entries set content = 'Text 0' where ctid = (select ctid from diary_entries limit 1)`,
    found: /^diary_entries .+ holds 'Text 0'/,
  },
  {
    fault: 'a lost note',
    sql: 'delete from calendar_notes where ctid = (select ctid from calendar_notes limit 1)',
    found: /^calendar_notes .+ holds 'undefined'/,
  },
  {
    fault: 'a note on a day on which nobody wrote',
    sql: `update calendar_notes set note_date = '2024-02-29' where ctid = (select ctid from calendar_notes limit 1)`,
    found: /^calendar_notes .+ 2024-02-29 was written by nobody$/,
  },
  {
    fault: 'a room without the membership of its creator',
    sql: `delete from room_members where ctid = (select room_members.ctid from room_members
      join rooms on rooms.id = room_id and created_by_user_id = user_id limit 1)`,
    found: /^a room without the membership of its creator/,
  },
  {
    fault: 'a lost membership',
    sql: 'delete from room_members where ctid = (select ctid from room_members where event > 0 limit 1)',
    found: /^membership '.+' was acknowledged and is lost$/,
  },
  {
    fault: 'an invitation without its event',
    sql: `delete from inbox_events where ctid = (select inbox_events.ctid from inbox_events
      join rooms on rooms.id::text = ids ->> 'roomId' where inbox_events.name = 'room.invited' limit 1)`,
    found: /^an invited member without the event of the invitation/,
  },
  {
    fault: 'a lost passage',
    sql: 'delete from room_messages where ctid = (select ctid from room_messages limit 1)',
    found: /^passage '.+' was acknowledged and is lost$/,
  },
  {
    fault: 'a lost passage that its room still counts',
    sql: 'delete from room_messages where ctid = (select ctid from room_messages limit 1)',
    found: /^a room whose counts are not those of its passages/,
  },
  {
    fault: 'a passage beyond the events of its room',
    sql: `update room_messages set event = event + 100000
      where ctid = (select ctid from room_messages order by event desc limit 1)`,
    found: /^an event of a room that the room does not count/,
  },
  {
    fault: 'a deleted room without its entry in the audit log',
    sql: 'delete from rooms where id = (select id from rooms limit 1)',
    found: /^room '.+' has 0 entries in the audit log of its deletion$/,
  },
  {
    fault: 'a lost message',
    sql: `delete from direct_messages where id = (${unread})`,
    found: /^message '.+' was acknowledged and is lost$/,
  },
  {
    fault: 'a message that its unread count still counts',
    sql: `delete from direct_messages where id = (${unread})`,
    found: /^a friendship whose unread counts are not those of its messages/,
  },
  {
    fault: 'a message without the event for one of the two people',
    sql: `delete from inbox_events where ctid = (select inbox_events.ctid from inbox_events
      join direct_messages on direct_messages.id::text = ids ->> 'id' where name = 'message' limit 1)`,
    found: /^a message without its event in one of the inboxes/,
  },
  {
    fault: 'a reading that was lost',
    sql: 'update friendships set low_read_position = 0, high_read_position = 0',
    found: /^message '.+' was read and is unread again$/,
  },
  {
    fault: 'a friendship that only one of the two people learns of',
    sql: `delete from inbox_events where ctid = (select ctid from inbox_events where name = 'friend.added' limit 1)`,
    found: /^a friendship without its event in one of the inboxes/,
  },
  {
    fault: 'an event that its inbox does not count',
    sql: 'update inboxes set last_event = last_event - 1',
    found: /^an event that its inbox does not count/,
  },
  {
    fault: 'a lost issue of the magazine',
    sql: 'delete from magazine_issues where id = (select id from magazine_issues order by uploaded_at desc limit 1)',
    found: /^issue '.+' was acknowledged and is lost$/,
  },
  {
    fault: 'an issue without its entry in the audit log',
    sql: `delete from audit_log where id = (select id from audit_log where action = 'magazine-uploaded' limit 1)`,
    found: /^an uploaded file without exactly one entry/,
  },
  {
    fault: 'an issue without a file',
    sql: 'insert into magazine_issues (id, uploaded_at) values (gen_random_uuid(), now())',
    found: /^issue '.+' has no file$/,
  },
  {
    fault: 'more issues than are kept',
    sql: `insert into magazine_issues (id, uploaded_at) select gen_random_uuid(), now() from generate_series(1, 24)`,
    found: /^issues beyond those that are kept/,
  },
  {
    fault: 'a lost cover',
    sql: 'delete from covers where id = (select id from covers limit 1)',
    found: /^cover '.+' was acknowledged and is lost$/,
  },
  {
    fault: 'an article whose cover belongs to no post',
    sql: 'update covers set post_id = null where id = (select id from covers where post_id is not null limit 1)',
    found: /^an article whose cover is not its own/,
  },
  {
    fault: 'a key without the answer of its change',
    sql: `update idempotency_keys set status = null where ctid = (select ctid from idempotency_keys limit 1)`,
    found: /^a key of a change without its answer/,
  },
]

test('the check of mixed changes finds no fault where none was planted [R2]', async () => {
  expect(unexpected).toEqual([])
  expect(await findFaults(db, journal, dataDir)).toEqual([])
  const byKind = Map.groupBy(journal.tracked, ({ kind }) => kind)
  expect([...byKind.keys()].toSorted()).toEqual(
    ['friendship', 'membership', 'message', 'passage', 'person', 'post', 'room'].toSorted(),
  )
})

test.for(planted)('the check of mixed changes finds $fault [R2]', async ({ sql, found }) => {
  const deletedPerson = journal.tracked.find(({ kind, deleted }) => kind === 'person' && deleted === 'yes')!
  await db.query('begin')
  try {
    const { rowCount } = await db.query(sql, sql.includes('$1') ? [deletedPerson.text] : [])
    expect(rowCount).toBeGreaterThan(0)
    expect(await findFaults(db, journal, dataDir)).toContainEqual(expect.stringMatching(found))
  } finally {
    await db.query('rollback')
  }
})

const spoiledFiles: { fault: string; spoil: (uploads: string) => Promise<unknown>; found: RegExp }[] = [
  {
    fault: 'a lost file of an issue',
    spoil: async (uploads) => rm(await newestIssue(uploads)),
    found: /^issue '.+' has no file$/,
  },
  {
    fault: 'half a file of an issue',
    spoil: async (uploads) => truncate(await newestIssue(uploads), 100_000),
    found: /^file 'magazine\/.+' is not whole$/,
  },
  {
    fault: 'an issue with the file of another one',
    spoil: async (uploads) => {
      const [one, other] = await issues()
      return copyFile(join(uploads, `magazine/${one}.pdf`), join(uploads, `magazine/${other}.pdf`))
    },
    found: /^issue '.+' is the same as '.+'$/,
  },
  {
    fault: 'half a file of a cover',
    spoil: async (uploads) => {
      const { rows } = await db.query<{ id: string }>('select id from covers limit 1')
      return truncate(join(uploads, `covers/${rows[0]!.id}.webp`), 20)
    },
    found: /^cover '.+' has no file of its size$/,
  },
  {
    fault: 'a half file without a row',
    spoil: (uploads) => writeFile(join(uploads, 'magazine/half.pdf'), '%PDF-1.7'),
    found: /^file 'magazine\/half.pdf' is not whole$/,
  },
  {
    fault: 'a half file that a killed server was receiving',
    spoil: (uploads) => writeFile(join(uploads, 'arriving/half.part'), '%PDF-1.7'),
    found: /^file 'arriving\/half.part' is not whole$/,
  },
]

const issues = async () =>
  (await db.query<{ id: string }>('select id from magazine_issues order by uploaded_at desc')).rows.map(
    ({ id }) => id,
  )

const newestIssue = async (uploads: string) => join(uploads, `magazine/${(await issues())[0]}.pdf`)

test.for(spoiledFiles)('the check of mixed changes finds $fault [R2 S34]', async ({ spoil, found }) => {
  const copy = await mkdtemp(join(tmpdir(), 'zimmer-mix-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  await cp(join(dataDir, 'uploads'), join(copy, 'uploads'), { recursive: true })
  await spoil(join(copy, 'uploads'))
  expect(await findFaults(db, journal, copy)).toContainEqual(expect.stringMatching(found))
})
