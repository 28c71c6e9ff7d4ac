import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { closeAbuseReport, listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { deleteAccount, getMe } from '#contract/account/endpoints.ts'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { createRoom, joinRoom } from '#contract/rooms/endpoints.ts'
import { asidesKeptMs } from '#contract/rooms/table/asides.ts'
import { addAside, hostTable, listAsides } from '#contract/rooms/table/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { allEncryptedTables } from '#server/features.ts'
import { changeDiaryKey } from '#server/features/day-texts/index.ts'
import { feature as rooms } from '#server/features/rooms/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { canary, placesOfCanary } from '#server/testing/canary.ts'
import { contentOf } from '#server/testing/content.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { messengers, startTwoApps } from '#server/testing/messengers.ts'
import { answerWithoutChange } from '#server/testing/refusals.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { atServerWithKey, type Client, startTestApp } from '#server/testing/test-app.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'

const content = `${canary} about a neighbour`
const reason = 'He names my neighbour.'
const suspension = { reason: 'You insulted a neighbour.', until: null, hidesTexts: false }
const warning = 'Please leave neighbours out.'
const erasing = { outcome: 'removed', removal: 'erase' }

/** Ana has said something at a table, where Ben and Cem sit too. Boss is an admin, Mia a moderator. */
async function start(config: NonNullable<Parameters<typeof startTestApp>[0]>['config'] = {}) {
  const t = await startTestApp({ config: { limitsRates: false, ...config } })
  const { db } = t
  const [ana, ben, cem] = [await t.person(), await t.person(), await t.person()]
  const [boss, mia] = [await t.admin(), await t.moderator()]
  const room = await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
  const params = { id: room.id }
  for (const who of [ben, cem]) await who.does(joinRoom, { params })
  const aside = await ana.does(addAside, { params, input: { content } })
  const report = (who: Client, targetId = aside.id) =>
    who.tries(reportAbuse, { input: { kind: 'aside', targetId, category: 'harassment', reason } })
  const reported = async (...given: Parameters<typeof report>) => {
    const answer = await report(...given)
    expect(answer.status).toBe(201)
    return (answer.body as { id: string }).id
  }
  const close = (id: string, input: object, by = boss) =>
    by.tries(closeAbuseReport, { params: { id }, input: { note: '', ...input } })
  const texts = async (who: Client) => (await who.does(listAsides, { params })).map((each) => each.content)
  const refuses = (call: Parameters<typeof answerWithoutChange>[1]) => answerWithoutChange(db, call)
  const end = () => ana.does(hostTable, { params, input: { act: 'end' } })
  /** What the server does every hour. */
  const purge = () => {
    const place = {
      database: db,
      dataDir: t.config.dataDir,
      uploads: openUploads(t.config),
      personalData: [],
      events: new DomainEvents(),
    }
    return rooms.purges.asides(place, new AbortController().signal)
  }
  const bellOf = async (who: Client) =>
    (await who.does(listNotifications)).map(({ type, data }) => ({ type, data }))
  const places = () => placesOfCanary(db, t.config.dataDir)
  return {
    ...t,
    ana,
    ben,
    cem,
    boss,
    mia,
    params,
    aside,
    report,
    reported,
    close,
    texts,
    refuses,
    end,
    purge,
    bellOf,
    places,
  }
}

test('a person with a seat reports an aside of somebody else; an admin and a moderator read it with its copy and its room, and no address [TABLE-01 INST-05]', async () => {
  const { ana, ben, boss, mia, params, aside, reported, refuses, report, texts } = await start()
  const id = await reported(ben)
  for (const who of [boss, mia]) {
    const answer = await who.tries(listAbuseReports)
    expect(answer.body).toEqual([
      {
        id,
        kind: 'aside',
        targetId: aside.id,
        category: 'harassment',
        reason,
        copy: { content, authorId: ana.me.id, authorName: 'Person1 Test', createdAt: aside.createdAt },
        reporterId: ben.me.id,
        reporterName: 'Person2 Test',
        exists: true,
        roomId: params.id,
        isInStory: false,
        createdAt: expect.any(String),
        status: 'open',
        outcome: null,
        actions: [],
        note: null,
        closedAt: null,
        closedBy: null,
      },
    ])
    expect(JSON.stringify(answer.body)).not.toContain('@')
  }
  // The same report again is the first one.
  expect(await report(ben)).toMatchObject({ status: 201, body: { id, isNew: false } })
  expect(await refuses(() => report(ana))).toBe('400 OwnReport')
  expect(await texts(ana)).toEqual([content])
})

test('a person who is away reports an aside, also until 24 hours after the end, and a public finished story is named as one [TABLE-01]', async () => {
  const { ben, cem, admin, clock, db, params, end, refuses, report, reported } = await start()
  await db.execute(sql`update room_members set table_state = 'away' where user_id = ${ben.me.id}`)
  await reported(ben)
  await end()
  clock.advance(asidesKeptMs - 60_000)
  await reported(cem)
  expect(await (await admin()).does(listAbuseReports)).toMatchObject([
    { reporterId: cem.me.id, exists: true, roomId: params.id, isInStory: true },
    { reporterId: ben.me.id, exists: true, roomId: params.id, isInStory: true },
  ])
  // The purge has not come yet.
  clock.advance(61_000)
  expect(await refuses(() => report(cem))).toBe('404 NothingToReport')
})

test('who has no seat reports no aside, as if it did not exist: visitors, guests, strangers, admins, those who wait, and whom the creator has removed [TABLE-01 S6]', async () => {
  const { ana, ben, cem, boss, mia, db, params, person, guest, visitor, refuses, report } = await start()
  await db.execute(sql`update room_members set table_state = 'waiting' where user_id = ${cem.me.id}`)
  expect(await refuses(() => report(cem))).toBe('404 NothingToReport')
  await ana.does(hostTable, { params, input: { act: 'remove', userId: ben.me.id } })
  // A seat at another table is none at this one.
  const elsewhere = await person()
  await elsewhere.does(createRoom, { input: aRoom({ turns: 'round' }) })
  for (const who of [ben, elsewhere, boss, mia])
    expect(await refuses(() => report(who))).toBe('404 NothingToReport')
  expect(await refuses(() => report(visitor()))).toBe('401 SignInRequired')
  const someGuest = await guest()
  expect(await refuses(() => report(someGuest))).toBe('403 NotAllowed')
  const unknown = '00000000-0000-7000-8000-000000000000'
  for (const id of [unknown, params.id, ana.me.id])
    expect(await refuses(() => report(ben, id))).toBe('404 NothingToReport')
})

test('an aside can be reported on either side of a block, with the same answer as anybody [TABLE-01 PPL-05]', async () => {
  const { ana, ben, cem, boss, reported } = await start()
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  await cem.does(blockPerson, { input: { userId: ana.me.id } })
  for (const who of [ben, cem]) await reported(who)
  expect(await boss.does(listAbuseReports)).toHaveLength(2)
})

test('a report of an aside is decided after the asides are deleted: its copy is read, nothing is left to erase, and the author is warned [TABLE-01 INST-15]', async () => {
  const { ana, ben, admin, clock, reported, close, end, purge, bellOf, refuses, places } = await start()
  const id = await reported(ben)
  await end()
  clock.advance(asidesKeptMs + 1000)
  await purge()
  const boss = await admin()
  expect(await places()).toEqual(['abuse_reports'])
  const gone = { exists: false, roomId: null, copy: { content, authorName: 'Person1 Test' } }
  expect(await boss.does(listAbuseReports)).toMatchObject([gone])
  expect(await refuses(() => close(id, { ...erasing, warning }, boss))).toBe('400 ReportedThingGone')
  expect(await close(id, { outcome: 'warned', warning }, boss)).toMatchObject({ status: 200, body: gone })
  expect((await bellOf(ana))[0]).toMatchObject({
    type: 'person.warned',
    data: { about: 'aside', text: warning },
  })
  expect((await bellOf(ben))[0]).toMatchObject({
    type: 'report.closed',
    data: { id, kind: 'aside', outcome: 'warned', actions: ['warned'] },
  })
})

test('an admin erases an aside by closing the report: no table and no other report has its text, its author and the reporter read so, and the audit log names it [TABLE-01 INST-15 S49]', async () => {
  const { ana, ben, cem, boss, params, aside, reported, close, texts, bellOf, places } = await start()
  await reported(cem)
  const id = await reported(ben)
  expect(await places()).toEqual(['abuse_reports', 'room_asides'])
  const closed = await close(id, { ...erasing, suspension })
  expect(closed).toMatchObject({
    status: 200,
    body: { actions: ['erased', 'suspended'], exists: false, roomId: null, copy: { content: null } },
  })
  expect(await places()).toEqual([])
  expect(await texts(ben)).toEqual([])
  expect(await ana.tries(getMe)).toMatchObject({ status: 401 })
  expect(await boss.does(listAbuseReports, { query: { status: 'open' } })).toMatchObject([
    { reporterId: cem.me.id, reason, exists: false, copy: { content: null } },
  ])
  expect((await bellOf(ben))[0]).toMatchObject({
    data: { outcome: 'removed', actions: ['erased', 'suspended'] },
  })
  const log = await boss.does(listAuditEntries, { query: { about: aside.id } })
  expect(log).toMatchObject([
    { action: 'aside-erased', actorId: boss.me.id, details: { room: params.id, author: ana.me.id } },
  ])
})

test('the author of an erased aside reads in the bell at which table it was [TABLE-01]', async () => {
  const { ana, ben, cem, params, aside, reported, close, bellOf } = await start()
  await close(await reported(ben), erasing)
  expect(await bellOf(ana)).toEqual([
    {
      type: 'aside.erased',
      data: {
        id: aside.id,
        room: expect.objectContaining({ id: params.id, isMember: true }),
        erasedAt: expect.any(String),
        reason: null,
      },
    },
  ])
  expect((await bellOf(cem)).filter(({ type }) => type === 'aside.erased')).toEqual([])
})

test.for(messengers)(
  'over %s an erased aside leaves the open pages of all seats, in all processes; readers are not told [TABLE-01]',
  async (messenger, context) => {
    const { app, other, atOther, person, visitor, admin } = await startTwoApps(messenger, context)
    const [ana, ben, cem] = [await person(), await person(), await person()]
    const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
    const params = { id }
    for (const who of [ben, cem]) await who.does(joinRoom, { params })
    const aside = await ana.does(addAside, { params, input: { content } })
    const report = await ben.does(reportAbuse, { input: { kind: 'aside', targetId: aside.id, reason } })
    const boss = await admin()
    const seated = [
      await openStream(app, ana, { rooms: [id] }),
      await openStream(other, cem, { rooms: [id] }),
    ]
    const reader = await openStream(other, visitor(), { rooms: [id] })
    await atOther(boss).does(closeAbuseReport, {
      params: { id: report.id },
      input: { outcome: 'removed', removal: 'erase', note: '' },
    })
    for (const stream of seated) expect(await stream.receives('room.aside')).toEqual({ roomId: id })
    expect(await ana.does(listAsides, { params })).toEqual([])
    // The end is published after the erasure.
    await ana.does(hostTable, { params, input: { act: 'end' } })
    await reader.receives('room.expired')
    expect(reader.all('room.aside')).toEqual([])
  },
)

test('nobody hides an aside, a moderator erases none, and others close no report; nothing changes [TABLE-01 INST-05 S2]', async () => {
  const { ana, ben, cem, boss, mia, reported, close, refuses, texts } = await start()
  const id = await reported(ben)
  const hiding = { outcome: 'removed', removal: 'hide' }
  for (const who of [boss, mia]) expect(await refuses(() => close(id, hiding, who))).toBe('400 InvalidInput')
  expect(await refuses(() => close(id, erasing, mia))).toBe('403 NotAllowed')
  for (const who of [ana, ben, cem]) expect((await close(id, erasing, who)).status).toBe(403)
  expect(await texts(cem)).toEqual([content])
  expect(await close(id, { outcome: 'warned', warning }, mia)).toMatchObject({ status: 200 })
})

test('for a moderator with a seat a report about an own aside does not exist [TABLE-01 INST-05]', async () => {
  const { ben, boss, mia, params, reported, close, refuses } = await start()
  await mia.does(joinRoom, { params })
  const own = await mia.does(addAside, { params, input: { content } })
  const id = await reported(ben, own.id)
  expect(await mia.does(listAbuseReports)).toEqual([])
  expect(await refuses(() => close(id, { outcome: 'kept' }, mia))).toBe('404 ReportNotFound')
  expect(await boss.does(listAbuseReports)).toMatchObject([{ id }])
})

test('an open report outlives the account of the author without the name, and is deleted when it is closed; that of a reporter who left stays without the reason [TABLE-01 S15]', async () => {
  const { ana, ben, cem, boss, db, reported, close } = await start()
  const [ofBen, ofCem] = [await reported(ben), await reported(cem)]
  expect(await close(ofCem, { outcome: 'kept' })).toMatchObject({ status: 200 })
  await ben.does(deleteAccount)
  expect(await boss.does(listAbuseReports, { query: { status: 'open' } })).toMatchObject([
    { id: ofBen, reporterId: null, reporterName: null, reason: null, copy: { content } },
  ])
  await ana.does(deleteAccount)
  // The closed one went with the account.
  expect(await boss.does(listAbuseReports)).toMatchObject([
    { id: ofBen, exists: false, roomId: null, copy: { content, authorId: null, authorName: 'Deleted user' } },
  ])
  expect(await close(ofBen, { outcome: 'kept' })).toMatchObject({ status: 200 })
  expect(await db.$count(sql`abuse_reports`)).toBe(0)
})

test('a report that is made while the aside is erased keeps no copy of it [TABLE-01]', async () => {
  const { db, ben, cem, aside, report, reported, close, places } = await start()
  const id = await reported(ben)
  const release = await holdLocks(db, sql`select 1 from room_asides where id = ${aside.id} for update`)
  const closing = close(id, erasing)
  await untilLockWaits(db)
  const reporting = report(cem)
  await untilLockWaits(db, 2)
  await release()
  expect(await closing).toMatchObject({ status: 200 })
  expect(await reporting).toMatchObject({ code: 'NothingToReport' })
  expect(await places()).toEqual([])
})

test('an admin closes a report of an aside and erases it while the reporter reports it again: both calls end [TABLE-01 R6]', async () => {
  const { db, ben, report, reported, close } = await start()
  const id = await reported(ben)
  const release = await holdLocks(db, sql`select 1 from abuse_reports where id = ${id} for update`)
  const closing = close(id, erasing)
  await untilLockWaits(db)
  const again = report(ben)
  await untilLockWaits(db, 2)
  await release()
  expect(await closing).toMatchObject({ status: 200 })
  expect(await again).toMatchObject({ code: 'NothingToReport' })
})

const [keyA, keyB] = ['a1'.repeat(32), 'b2'.repeat(32)]

test('with a key no table holds the text of a reported aside; the admin reads it, also after a change of the key, and a process with the old key neither shows nor stores a report [TABLE-01 S44]', async () => {
  const t = await start({ diaryKey: keyA })
  const { db, ben, cem, boss, reported, report, refuses, places } = t
  await reported(ben)
  expect(await places()).toEqual([])
  expect(await boss.does(listAbuseReports)).toMatchObject([{ copy: { content } }])
  const keys = { diaryKey: keyA, newDiaryKey: keyB }
  await changeDiaryKey({ database: db, random: systemRandom, config: keys }, allEncryptedTables)
  expect(await refuses(() => report(cem))).toBe('503 DiaryLocked')
  expect(await refuses(() => boss.tries(listAbuseReports))).toBe('503 DiaryLocked')
  const atNew = (who: Client) => atServerWithKey(t, keyB, who)
  await reported(await atNew(cem))
  expect(await (await atNew(boss)).does(listAbuseReports)).toMatchObject([
    { copy: { content } },
    { copy: { content } },
  ])
})

test('the key is changed while an aside is reported: both end, and the report is refused [TABLE-01 S44]', async () => {
  const { db, ben, report, places } = await start({ diaryKey: keyA })
  const release = await holdLocks(db, sql`lock table abuse_reports in share mode`)
  const keys = { diaryKey: keyA, newDiaryKey: keyB }
  const changing = changeDiaryKey({ database: db, random: systemRandom, config: keys }, allEncryptedTables)
  await untilLockWaits(db)
  const reporting = report(ben)
  await untilLockWaits(db, 2)
  await release()
  expect(await changing).toMatch(/^1 texts are encrypted/)
  expect(await reporting).toMatchObject({ code: 'DiaryLocked' })
  expect(await places()).toEqual([])
})

test('a damaged aside cannot be reported [TABLE-01 S44]', async () => {
  const { db, ben, refuses, report } = await start({ diaryKey: keyA })
  await db.execute(sql`update room_asides set content = 'damaged'`)
  expect(await refuses(() => report(ben))).toBe('404 NothingToReport')
  expect((await contentOf(db)).abuse_reports).toEqual([])
})
