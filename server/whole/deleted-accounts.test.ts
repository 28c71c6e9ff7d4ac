import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { closeAbuseReport, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { deleteAccount, login, register } from '#contract/account/endpoints.ts'
import { createApiToken } from '#contract/account/tokens/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { deleteUser } from '#contract/admin/endpoints.ts'
import { addBookmark } from '#contract/bookmarks/endpoints.ts'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createDocument } from '#contract/documents/endpoints.ts'
import { createDraft } from '#contract/drafts/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { changePost, getOwnPost, takeBackPost } from '#contract/feed/own/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { acceptInvitation, createInvitation } from '#contract/invitations/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { changeAwayNotificationChoices } from '#contract/away-notifications/endpoints.ts'
import { createPasswordReset } from '#contract/password-resets/endpoints.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { addAside } from '#contract/rooms/table/endpoints.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { allPersonalData } from '../features.ts'
import { removeAccountByEmail } from '../features/account/index.ts'
import { addMailLink } from '../features/mails/index.ts'
import { queuePush } from '../features/push/index.ts'
import type { Db } from '../platform/database/pool.ts'
import { systemRandom } from '../platform/ids.ts'
import { trigramsOf } from '../platform/search/trigrams.ts'
import { storeTrigrams } from '../testing/post-trigrams.ts'
import { storeWords } from '../testing/post-words.ts'
import { aRoom } from '../testing/rooms.ts'
import { type Client, startTestApp } from '../testing/test-app.ts'

/**
 * What becomes of a column with an id, a name, a digest or a text of a person when the account is deleted (S15); `none`: the
 * column holds nothing of a person.
 */
type Fate = 'goes' | 'stays' | 'none'

/** Every column that can hold a text. A new one needs an entry here and, unless it is `none`, a value in `startWithTraces`. */
const inventory: Record<string, Record<string, Fate>> = {
  // Reports about posts and passages stay like the posts and passages themselves, and so does the note of an admin.
  abuse_reports: {
    actions: 'none',
    author_name: 'goes',
    author_username: 'goes',
    category: 'none',
    closed_by_id: 'goes',
    content: 'stays',
    key_id: 'none',
    kind: 'none',
    note: 'stays',
    outcome: 'none',
    reason: 'goes',
    reported_id: 'goes',
    reporter_id: 'goes',
    target_id: 'goes',
  },
  allowances: { network: 'none' },
  // The audit log is kept for 180 days (S49).
  audit_log: { action: 'none', actor_id: 'stays', details: 'stays', request_id: 'none', subject_id: 'stays' },
  blocks: { blocked_id: 'goes', blocker_id: 'goes' },
  bookmarks: { user_id: 'goes' },
  calendar_notes: { content: 'goes', key_id: 'none', user_id: 'goes' },
  credentials: { kind: 'none', secret: 'goes', user_id: 'goes' },
  diary_entries: { content: 'goes', key_id: 'none', user_id: 'goes' },
  direct_messages: { content: 'goes', key_id: 'none', sender_id: 'goes' },
  documents: { content: 'goes', key_id: 'none', source: 'goes', title: 'goes', user_id: 'goes' },
  drafts: {
    author_name: 'goes',
    category: 'none',
    content: 'goes',
    form: 'none',
    key_id: 'none',
    post_type: 'none',
    tags: 'goes',
    user_id: 'goes',
  },
  emails: { address: 'goes', user_id: 'goes' },
  follows: { followed_id: 'goes', follower_id: 'goes' },
  friendships: { high_id: 'goes', low_id: 'goes' },
  idempotency_keys: {
    answer: 'goes',
    call: 'none',
    input_digest: 'goes',
    key: 'goes',
    person: 'goes',
    user_id: 'goes',
  },
  inbox_events: { ids: 'goes', name: 'none', user_id: 'goes' },
  inboxes: { user_id: 'goes' },
  instance_facts: { name: 'none', value: 'none' },
  instance_settings: { settings: 'none' },
  invitation_acceptances: { inviter_id: 'goes', person_id: 'goes' },
  invitations: { inviter_id: 'goes', token_hash: 'goes' },
  mail_bounces: { kind: 'none', reason: 'goes', user_id: 'goes' },
  mail_links: { bound_to: 'goes', purpose: 'none', token_hash: 'goes', user_id: 'goes' },
  mails: { address: 'goes', event_numbers: 'none', failure: 'goes', kind: 'none', user_id: 'goes' },
  notice_causes: { causer_id: 'goes', user_id: 'goes' },
  notice_choices: { time_zone: 'goes', user_id: 'goes' },
  // Of a person without an account the row stays for ten minutes.
  openid_attempts: { email: 'none', issuer: 'none', subject: 'none', token_hash: 'goes', user_id: 'goes' },
  openid_links: { issuer: 'none', subject: 'goes', user_id: 'goes' },
  password_resets: { admin_id: 'goes', secret_hash: 'goes', token_hash: 'goes', user_id: 'goes' },
  // Those of the texts of posts that stay.
  post_trigrams: { trigrams: 'stays' },
  // The words of posts and rooms that stay.
  post_words: { words: 'stays' },
  // Published posts stay without a name, and so do passages and rooms. The reason is the words of an admin. `submitted_from` is of visitors.
  posts: {
    author_id: 'goes',
    author_name: 'goes',
    category: 'none',
    content: 'stays',
    content_digest: 'stays',
    decided_by_id: 'goes',
    decision_reason: 'stays',
    form: 'none',
    image_url: 'none',
    post_type: 'none',
    submitted_from: 'none',
    tags: 'stays',
  },
  post_versions: { author_id: 'goes', content: 'goes' },
  push_devices: { auth: 'goes', endpoint: 'goes', p256dh: 'goes', session_hash: 'goes', user_id: 'goes' },
  pushes: { event_numbers: 'none', kind: 'none', path: 'goes', title: 'none', topic: 'goes' },
  // Of people without an account: the row is deleted when an admin makes the account.
  registration_links: { label: 'none', token_hash: 'none' },
  registration_requests: { email: 'none', guest_id: 'none', person: 'none', secret: 'none' },
  room_asides: { content: 'goes', key_id: 'none', user_id: 'goes' },
  room_chains: { head: 'none', key: 'none', link: 'none', origin: 'none', seal: 'none' },
  // The secret goes with the membership, and without it nobody can tell whose mark `who` is.
  room_members: { secret: 'none', table_state: 'none', user_id: 'goes' },
  room_messages: { content: 'stays', salt: 'none', text_hash: 'none', user_id: 'goes', who: 'none' },
  room_words: { words: 'stays' },
  rooms: {
    created_by_user_id: 'goes',
    description: 'stays',
    name: 'stays',
    opening: 'stays',
    turn_holder: 'goes',
    turns: 'none',
  },
  scheduled_posts: {
    author_id: 'goes',
    author_name: 'goes',
    category: 'none',
    content: 'goes',
    form: 'none',
    image_url: 'none',
    post_type: 'none',
    tags: 'goes',
  },
  // The names of browsers and systems are those of a short table.
  // The scopes are those of a short table.
  api_tokens: { name: 'goes', scopes: 'none', token_hash: 'goes', user_id: 'goes' },
  seal_keys: { key_id: 'none', public_key: 'none', secret_key: 'none' },
  sessions: { browser: 'none', system: 'none', token_hash: 'goes', user_id: 'goes' },
  suspensions: { reason: 'goes', user_id: 'goes' },
  // The reason is the words of an admin, who was Ana for a moment.
  taken_back_posts: {
    author_id: 'goes',
    author_name: 'goes',
    category: 'none',
    content: 'goes',
    content_digest: 'goes',
    decided_by_id: 'goes',
    decision_reason: 'stays',
    form: 'none',
    image_url: 'none',
    kind: 'none',
    post_type: 'none',
    submitted_from: 'none',
    tags: 'goes',
  },
  // An address that an admin has given for the installation.
  webhooks: { events: 'none', url: 'none' },
  webhook_attempts: { failure: 'none' },
  webhook_deliveries: { event: 'none' },
  users: {
    anonymous_id: 'goes',
    first_name: 'goes',
    id: 'goes',
    introduction: 'goes',
    last_name: 'goes',
    username: 'goes',
    writing_sample: 'goes',
  },
}

/** The columns of each table with one of these fates, as `table.column`. */
const columnsThat = (...fates: Fate[]) =>
  Object.entries(inventory)
    .flatMap(([table, columns]) =>
      Object.entries(columns).flatMap(([column, fate]) =>
        fates.includes(fate) ? [`${table}.${column}`] : [],
      ),
    )
    .toSorted()

test('every column that can hold an id or a text is in the inventory of what remains of a deleted account [S15]', async () => {
  const { db } = await startTestApp()
  const { rows } = await db.execute<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type not in ('boolean', 'date', 'integer', 'timestamp with time zone', 'uuid')`)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(columnsThat('goes', 'stays', 'none'))
})

/** A word in every text of Ana, and one in every text that Ben writes to her alone. */
const [ofAna, toAna] = ['moonlit', 'starlit']

const ways: [string, (t: World) => Promise<unknown>][] = [
  ['by the person', ({ ana }) => ana.does(deleteAccount)],
  ['by an admin', ({ boss, ana }) => boss.does(deleteUser, { params: { id: ana.me.id } })],
  [
    'by the command',
    ({ db, clock, ana }) =>
      removeAccountByEmail({ database: db, clock, random: systemRandom }, ana.me.email!, allPersonalData),
  ],
]

test.each(ways)(
  'after the deletion of an account %s nothing of the person is stored except what the inventory names, and the email address is free [S15 S19 PPL-06]',
  async (_how, remove) => {
    const world = await startWithTraces()
    await decideAsAdmin(world)
    const { db, ana, visitor } = world
    await storeWords(db)
    await storeTrigrams(db)
    const { id, email, username } = ana.me
    const texts = [id, email!, username!, 'Anastasia', ofAna, toAna]
    const traces = [...texts, trigramsOf(ofAna).join(), ...(await digestsOf(db, id))]
    expect(await findTraces(db, traces)).toEqual(columnsThat('goes', 'stays'))
    const ofName = trigramsOf('Anastasia').join()
    expect(await findTraces(db, [ofName])).toEqual(['post_trigrams.trigrams'])
    await remove(world)
    expect(await findTraces(db, [ofName])).toEqual([])
    await storeTrigrams(db)
    expect(await findTraces(db, traces)).toEqual(columnsThat('stays'))
    expect(await findTraces(db, [ofName])).toEqual([])
    const input = { email: email!, password: 'another secret 1' }
    expect(await visitor().tries(register, { input })).toMatchObject({ status: 201 })
  },
)

test('of reports about and by a deleted person those on public texts and the open ones on messages, asides and people stay without names, and an admin still reads and closes them [S15 PPL-06 PPL-12 TABLE-01]', async () => {
  const { db, ana, ben, boss } = await startWithTraces()
  await ana.does(deleteAccount)
  const { rows } = await db.execute(sql`
    select kind, reporter_id, convert_from(reason, 'UTF8') as reason, reported_id, author_name,
      convert_from(content, 'UTF8') as content from abuse_reports order by kind, convert_from(content, 'UTF8') collate "C"`)
  const byBen = { reporter_id: ben.me.id, reason: 'Unkind' }
  const byAna = { reporter_id: null, reason: null }
  const wroteAna = { reported_id: null, author_name: 'Deleted user' }
  const wroteBen = { reported_id: ben.me.id, author_name: 'Ben Test' }
  expect(rows).toEqual([
    { kind: 'aside', ...byBen, ...wroteAna, content: `A ${ofAna} aside` },
    { kind: 'aside', ...byAna, ...wroteBen, content: 'An aside of Ben' },
    { kind: 'message', ...byBen, ...wroteAna, content: `A ${ofAna} message` },
    { kind: 'message', ...byAna, ...wroteBen, content: `A ${toAna} message` },
    { kind: 'passage', ...byBen, ...wroteAna, content: `A ${ofAna} passage` },
    { kind: 'passage', ...byAna, ...wroteBen, content: 'A passage of Ben' },
    { kind: 'person', ...byAna, ...wroteBen, content: '' },
    { kind: 'person', ...byBen, ...wroteAna, content: `A ${ofAna} writer` },
    { kind: 'post', ...byBen, ...wroteAna, content: `A ${ofAna} post` },
  ])
  const { rows: ids } = await db.execute<{ id: string }>(sql`select id from abuse_reports`)
  for (const { id } of ids) {
    const input = { outcome: 'kept', note: '' } as const
    expect(await boss.does(closeAbuseReport, { params: { id }, input })).toMatchObject({ id, ...input })
  }
  const { rows: left } = await db.execute(sql`select kind from abuse_reports order by kind`)
  expect(left).toEqual(['aside', 'passage', 'passage', 'person', 'post'].map((kind) => ({ kind })))
})

test('closed reports about a deleted person, about asides of the person and about messages from or to the person are deleted with the account [S15 TABLE-01]', async () => {
  const { db, ana, ben, boss } = await startWithTraces()
  const ofAnaAlone = sql`kind = 'message' or (kind in ('aside', 'person') and reported_id is distinct from ${ben.me.id})`
  const { rows } = await db.execute<{ id: string }>(sql`select id from abuse_reports where ${ofAnaAlone}`)
  expect(rows).toHaveLength(4)
  const input = { outcome: 'kept', note: '' } as const
  for (const { id } of rows) await boss.does(closeAbuseReport, { params: { id }, input })
  const count = async () => (await db.execute(sql`select 1 from abuse_reports where ${ofAnaAlone}`)).rowCount
  expect(await count()).toBe(4)
  await ana.does(deleteAccount)
  expect(await count()).toBe(0)
})

test('reports that a deleted admin has closed stay closed, without the name of the admin [S15 PPL-12]', async () => {
  const { db, boss, clock } = await startWithTraces()
  const { rows } = await db.execute<{ id: string }>(sql`select id from abuse_reports`)
  for (const { id } of rows)
    await boss.does(closeAbuseReport, { params: { id }, input: { outcome: 'kept', note: 'Fine' } })
  const sources = { database: db, clock, random: systemRandom }
  await removeAccountByEmail(sources, boss.me.email!, allPersonalData)
  const { rows: left } = await db.execute(sql`select distinct closed_by_id, outcome, note from abuse_reports`)
  expect(left).toEqual([{ closed_by_id: null, outcome: 'kept', note: 'Fine' }])
})

test('a former admin deletes the account while another admin decides about the same post of a friend [S15 R5]', async () => {
  const world = await startWithTraces()
  await decideAsAdmin(world)
  const { db, ana, ben } = world
  const deletion = await db.transaction(async (tx) => {
    // A decision locks in the same order: first the post, then the inbox of its author.
    await tx.execute(sql`select 1 from posts where decided_by_id = ${ana.me.id} for update`)
    const answer = ana.tries(deleteAccount)
    await untilLockWaits(db)
    await tx.execute(sql`select 1 from inboxes where user_id = ${ben.me.id} for update`)
    return { answer }
  })
  expect(await deletion.answer).toMatchObject({ status: 200 })
  const { rows } = await db.execute(
    sql`select decided_by_id, decision_reason from posts where content = 'A post of Ben'`,
  )
  expect(rows).toEqual([{ decided_by_id: null, decision_reason: `A ${ofAna} reason` }])
})

test('a former admin with more decisions than one statement may change deletes the account [S15 R6]', async () => {
  const { db, person } = await startTestApp()
  const ana = await person()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest, decided_by_id, decided_at)
    select gen_random_uuid(), 'A post', 'Ben', 'standard', now(), n, ${ana.me.id}, now() from generate_series(1, 5001) n`)
  await db.execute(sql`create table statements (size int)`)
  await db.execute(sql`
    create function note_size() returns trigger language plpgsql as $$
    begin insert into statements select count(*) from fresh having count(*) > 0; return null; end $$`)
  await db.execute(sql`
    create trigger size after update on posts referencing new table as fresh
    for each statement execute function note_size()`)
  await ana.does(deleteAccount)
  const { rows } = await db.execute<{ size: number }>(sql`select size from statements`)
  expect(rows.map(({ size }) => size)).toEqual([5000, 1])
})

type World = Awaited<ReturnType<typeof startWithTraces>>

/** Ana's data is in every column, after calls of her own and calls of others about her. */
async function startWithTraces() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const signIn = { email: 'lamp@example.org', password: `a ${ofAna} pass 1` }
  const ana = await t.person({ firstName: 'Anastasia', lastName: `${ofAna} Lamp`, ...signIn })
  const [ben, boss] = [await t.person({ firstName: 'Ben' }), await t.admin()]
  const blocked = await t.person()

  await t.visitor().tries(login, { input: { ...signIn, password: 'a wrong one' } })
  await ana.does(login, { input: signIn })
  await ana.does(changeSettings, { input: { introduction: `A ${ofAna} writer`, base: '' } })
  // One value is of the onboarding, the other of guests.
  await t.db.execute(sql`
    update users set writing_sample = ${`A ${ofAna} sample`}, anonymous_id = ${`${ofAna} guest`} where id = ${ana.me.id}`)
  await ana.does(saveDiaryEntry, { input: { date: '2025-06-09', content: `A ${ofAna} day` } })
  await ana.does(saveCalendarNote, { input: { date: '2025-06-09', note: `A ${ofAna} walk` } })
  await ana.does(createDraft, {
    input: { content: `A ${ofAna} draft`, authorName: 'Anastasia', tags: [ofAna] },
  })
  await ana.does(createDocument, {
    input: { source: `${ofAna} files`, title: `A ${ofAna} title`, content: `A ${ofAna} document` },
  })
  const post = async (type: 'standard' | 'premium', content: string) =>
    (await ana.does(submitPost, { input: { content, authorName: 'Anastasia', type }, headers: {} })).id
  const published = await post('premium', `A ${ofAna} post`)
  await ana.does(addBookmark, { params: { postId: published } })
  await post('standard', `A ${ofAna} post that waits`)
  await t.db.execute(sql`update posts set tags = array[${ofAna}] where id = ${published}`)
  const takenBack = await post('premium', `A ${ofAna} post that was taken back`)
  const { updatedAt: base } = await ana.does(getOwnPost, { params: { id: takenBack } })
  const change = { content: `A ${ofAna} second text`, base, tags: [ofAna] }
  await ana.does(changePost, { params: { id: takenBack }, input: change })
  await ana.does(takeBackPost, { params: { id: takenBack } })
  await ana.does(submitPost, {
    input: {
      content: `A ${ofAna} post that will appear`,
      authorName: 'Anastasia',
      type: 'premium',
      tags: [ofAna],
      publishAt: '2025-06-24T18:00:00.000Z',
    },
  })
  const room = {
    name: `A ${ofAna} room`,
    description: `For ${ofAna} texts`,
    opening: `A ${ofAna} opening`,
    isPublic: true,
  }
  const { id: roomId } = await ana.does(createRoom, { input: aRoom(room) })
  await ben.does(joinRoom, { params: { id: roomId }, input: { signsWithName: true } })
  const slow = { turns: 'baton', duration: 4320, turnSeconds: 43_200 } as const
  const { id: tableId } = await ana.does(createRoom, { input: aRoom(slow) })
  await ben.does(joinRoom, { params: { id: tableId } })
  const asideBy = async (who: Client, content: string) =>
    (await who.does(addAside, { params: { id: tableId }, input: { content } })).id
  const [aside, asideOfBen] = [await asideBy(ana, `A ${ofAna} aside`), await asideBy(ben, 'An aside of Ben')]
  const passageBy = async (who: Client, content: string) =>
    (await who.does(sendPassage, { params: { id: roomId }, input: { content } })).id
  const [passage, passageOfBen] = [
    await passageBy(ana, `A ${ofAna} passage`),
    await passageBy(ben, 'A passage of Ben'),
  ]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  // A friendship names its two people in the order of their ids. Ana is the second of one, and the first of the other.
  for (const id of ['0000000000', 'zzzzzzzzzz']) {
    await t.db.execute(
      sql`insert into users (id, username, first_name, created_at) values (${id}, ${id}, 'Cem', app_now())`,
    )
    await ana.does(addFriend, { input: { friendUserId: id } })
  }
  const messageTo = async (from: Client, to: Client, content: string) => {
    const input = { messageType: 'text', receiverId: to.me.id, content } as const
    const headers = { 'idempotency-key': `${from === ana ? ofAna : 'other'}-key` }
    return (await from.does(sendMessage, { input, headers })).id
  }
  const [message, messageOfBen] = [
    await messageTo(ana, ben, `A ${ofAna} message`),
    await messageTo(ben, ana, `A ${toAna} message`),
  ]
  const invitee = await t.person()
  for (const [inviter, follower] of [
    [ana, invitee],
    [blocked, ana],
  ] as const) {
    const { token } = await inviter.does(createInvitation)
    await follower.does(acceptInvitation, { input: { token } })
  }
  const [stranger, otherStranger] = [await t.person(), await t.person()]
  await ana.does(blockPerson, { input: { userId: stranger.me.id } })
  await otherStranger.does(blockPerson, { input: { userId: ana.me.id } })

  await t.db.execute(sql`
    insert into follows values (${ana.me.id}, ${ben.me.id}, app_now()), (${ben.me.id}, ${ana.me.id}, app_now())`)

  const report = async (who: Client, kind: string, targetId: string, reason: string) =>
    (await who.does(reportAbuse, { input: { kind, targetId, reason } })).id
  await report(ben, 'message', message, 'Unkind')
  await report(ben, 'passage', passage, 'Unkind')
  await report(ben, 'aside', aside, 'Unkind')
  await report(ben, 'post', published, 'Unkind')
  await report(ben, 'person', ana.me.id, 'Unkind')
  await report(ana, 'message', messageOfBen, `A ${ofAna} reason`)
  await report(ana, 'passage', passageOfBen, `A ${ofAna} reason`)
  await report(ana, 'aside', asideOfBen, `A ${ofAna} reason`)
  await report(ana, 'person', ben.me.id, `A ${ofAna} reason`)
  await boss.does(createPasswordReset, { params: { id: ana.me.id } })
  await t.db.execute(
    sql`insert into openid_links values (${ana.me.id}, 'https://login.example', ${ofAna}, app_now())`,
  )
  await t.db.execute(
    sql`insert into openid_attempts (token_hash, user_id, expires_at) values (${ofAna}, ${ana.me.id}, app_now())`,
  )
  const scopes = ['diary'] as const
  await ana.does(createApiToken, { input: { name: `A ${ofAna} script`, scopes: [...scopes] } })
  // A mail that was refused, and one for an address that nobody has looked up yet.
  const mailOf = (userId: string | null, address: string | null) =>
    t.db.execute(sql`
    insert into mails (id, kind, user_id, address, failure, created_at, attempt_at, give_up_at)
    values (gen_random_uuid(), 'reset', ${userId}, ${address}, ${`No mailbox ${ofAna}`}, app_now(), app_now(), app_now())`)
  await mailOf(ana.me.id, null)
  await mailOf(null, signIn.email)
  await t.db.execute(
    sql`insert into mail_bounces values (${ana.me.id}, 'permanent', ${`No mailbox ${ofAna}`}, app_now())`,
  )
  await addMailLink(t.db, systemRandom, { userId: ana.me.id, purpose: 'reset', boundTo: 'a secret' })
  await ana.does(changeAwayNotificationChoices, { input: { messages: false } })
  await t.db.execute(sql`update notice_choices set time_zone = ${ofAna}`)
  await t.db.execute(sql`
    insert into notice_causes values (${ana.me.id}, ${ben.me.id}, app_now()), (${ben.me.id}, ${ana.me.id}, app_now())`)
  await t.db.execute(sql`
    insert into push_devices (id, user_id, session_hash, endpoint, p256dh, auth, created_at)
    select gen_random_uuid(), user_id, token_hash, ${`https://push.example/${ofAna}`}, ${ofAna}, ${ofAna}, app_now()
    from sessions where user_id = ${ana.me.id} limit 1`)
  const push = {
    kind: 'turn',
    title: 'It is your turn',
    path: `/zimmers?of=${ofAna}`,
    topic: `room ${ofAna}`,
  }
  await queuePush(t.db, ana.me.id, push)
  // The call would end the session by which the account is deleted.
  await t.db.execute(sql`insert into suspensions values (${ana.me.id}, ${`A ${ofAna} insult`}, null, false)`)
  return { ...t, ana, ben, boss }
}

/** Ana was an admin for a moment: she closed a report and hid two posts of Ben, who took one of them back. */
async function decideAsAdmin({ db, ana, ben }: World) {
  const setAdmin = (isAdmin: boolean) =>
    db.execute(sql`update users set is_admin = ${isAdmin} where id = ${ana.me.id}`)
  const { rows } = await db.execute<{ id: string }>(sql`select id from abuse_reports where kind = 'post'`)
  const post = { content: 'A post of Ben', authorName: 'Ben', type: 'premium' } as const
  const { id } = await ben.does(submitPost, { input: post })
  const { id: other } = await ben.does(submitPost, { input: { ...post, content: 'Another post of Ben' } })
  await setAdmin(true)
  const decision = { isVisible: false, reason: `A ${ofAna} reason` }
  for (const params of [{ id }, { id: other }])
    await ana.does(changePostVisibility, { params, input: decision })
  await ben.does(takeBackPost, { params: { id: other } })
  await ana.does(createPasswordReset, { params: { id: ben.me.id } })
  const input = { outcome: 'kept', note: `A ${ofAna} note` } as const
  await ana.does(closeAbuseReport, { params: { id: rows[0]!.id }, input })
  await setAdmin(false)
}

/** Digests and other values of a person that contain no word of the person. */
async function digestsOf(db: Db, id: string): Promise<string[]> {
  const { rows } = await db.execute<{ digest: string }>(sql`
    select secret as digest from credentials where user_id = ${id}
    union select token_hash from sessions where user_id = ${id}
    union select token_hash from api_tokens where user_id = ${id}
    union select token_hash from invitations where inviter_id = ${id}
    union select input_digest from idempotency_keys where person = ${id}
    union select unnest(array[token_hash, secret_hash]) from password_resets where user_id = ${id}
    union select unnest(array[token_hash, bound_to]) from mail_links where user_id = ${id}
    union select content_digest from posts where author_id = ${id}
    union select content_digest from taken_back_posts where author_id = ${id}`)
  return rows.map(({ digest }) => digest)
}

/** The columns that contain one of the words, as `table.column`. Texts are not encrypted in this test. */
async function findTraces(db: Db, words: readonly string[]): Promise<string[]> {
  const { rows: columns } = await db.execute<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`)
  const patterns = words.flatMap((word) => [`%${word}%`, `%${Buffer.from(word).toString('hex')}%`])
  const parts = columns.map(
    ({ table, column }) => sql`
      select ${`${table}.${column}`}::text as name
      where exists (select 1 from ${sql.identifier(table)} where ${sql.identifier(column)}::text ilike any (${sql.param(patterns)}))`,
  )
  const { rows } = await db.execute<{ name: string }>(sql.join(parts, sql` union all `))
  return rows.map(({ name }) => name).toSorted()
}
