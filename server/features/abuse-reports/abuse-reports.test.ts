import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { closeAbuseReport, listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import type { AbuseReport } from '#contract/abuse-reports/report.ts'
import { createPost, submitPost } from '#contract/feed/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { deleteMessage, sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, deleteRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

const unknownId = '00000000-0000-7000-8000-000000000000'

/** Ana has written something of each kind to Ben or in his sight; Cem is a stranger. */
async function startWithTexts() {
  const t = await startTestApp()
  const [ana, ben, cem, boss] = [await t.person(), await t.person(), await t.person(), await t.admin()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  const message = await ana.does(sendMessage, {
    input: { messageType: 'text', receiverId: ben.me.id, content: 'A rude message' },
  })
  const roomOf = async (isPublic: boolean) =>
    (
      await ana.does(createRoom, {
        input: aRoom({ isPublic, ...(!isPublic && { invitedFriends: [ben.me.id] }) }),
      })
    ).id
  const passageIn = (roomId: string) =>
    ana.does(sendPassage, { params: { id: roomId }, input: { content: 'A rude passage' } })
  const [publicRoom, privateRoom] = [await roomOf(true), await roomOf(false)]
  const [passage, secret] = [await passageIn(publicRoom), await passageIn(privateRoom)]
  const post = await ana.does(submitPost, {
    input: { content: 'A rude post', authorName: 'Ana the Great', type: 'premium' },
  })
  const listed = () => boss.does(listAbuseReports)
  return { ...t, ana, ben, cem, boss, message, passage, secret, publicRoom, post, listed }
}

const report = (who: Client, kind: string, targetId: string, more: object = {}) =>
  who.tries(reportAbuse, { input: { kind, targetId, reason: 'This is rude.', ...more } })

/** The id of a new report. */
const reported = async (...given: Parameters<typeof report>) => {
  const answer = await report(...given)
  expect(answer.status).toBe(201)
  return (answer.body as { id: string }).id
}

test('a reader reports a message, a passage, a post and a person, and an admin sees each with its copy [PPL-06]', async () => {
  const { ana, ben, message, passage, publicRoom, post, listed } = await startWithTexts()
  const ids = []
  for (const [kind, { id }] of [
    ['message', message],
    ['passage', passage],
    ['post', post],
    ['person', ana.me],
  ] as const)
    ids.push(await reported(ben, kind, id, { category: 'harassment', reason: `Look at this ${kind}.` }))
  const common = {
    category: 'harassment',
    reporterId: ben.me.id,
    reporterName: 'Person2 Test',
    exists: true,
    roomId: null,
    isInStory: false,
    createdAt: expect.any(String),
    status: 'open',
    outcome: null,
    actions: [],
    note: null,
    closedAt: null,
    closedBy: null,
  }
  const author = { authorId: ana.me.id, authorName: 'Person1 Test' }
  expect((await listed()).toReversed()).toEqual([
    {
      ...common,
      id: ids[0],
      kind: 'message',
      targetId: message.id,
      reason: 'Look at this message.',
      copy: { ...author, content: 'A rude message', createdAt: message.created_at },
    },
    {
      ...common,
      id: ids[1],
      kind: 'passage',
      targetId: passage.id,
      roomId: publicRoom,
      reason: 'Look at this passage.',
      copy: { ...author, content: 'A rude passage', createdAt: passage.createdAt },
    },
    {
      ...common,
      id: ids[2],
      kind: 'post',
      targetId: post.id,
      reason: 'Look at this post.',
      copy: {
        ...author,
        authorName: 'Ana the Great',
        content: 'A rude post',
        createdAt: post.createdAt,
      },
    },
    {
      ...common,
      id: ids[3],
      kind: 'person',
      targetId: ana.me.id,
      reason: 'Look at this person.',
      copy: { ...author, content: `Person1 Test (${ana.me.username})`, createdAt: ana.me.createdAt },
    },
  ])
})

test('an admin sees of a reported passage whether its room is a finished public story [PPL-06]', async () => {
  const { clock, ben, passage, secret, listed } = await startWithTexts()
  await reported(ben, 'passage', passage.id)
  await reported(ben, 'passage', secret.id)
  const states = async () =>
    Object.fromEntries((await listed()).map((each) => [each.targetId, each.isInStory]))
  expect(await states()).toEqual({ [passage.id]: false, [secret.id]: false })
  clock.advance(31 * 60_000)
  expect(await states()).toEqual({ [passage.id]: true, [secret.id]: false })
})

test('a copy stays as it was when the message is deleted, the room is deleted and the post is hidden [PPL-06]', async () => {
  const { db, ana, ben, boss, message, passage, publicRoom, post, listed } = await startWithTexts()
  await reported(ben, 'message', message.id)
  await reported(ben, 'passage', passage.id)
  await reported(ben, 'post', post.id)
  const before = await listed()
  await ana.does(deleteMessage, { params: { id: message.id } })
  await boss.does(deleteRoom, { params: { id: publicRoom } })
  await db.execute(sql`update posts set is_visible = false, content = 'Nothing to see' where id = ${post.id}`)
  expect(await listed()).toEqual(before.map((each) => ({ ...each, exists: false, roomId: null })))
})

test('a stranger, and a report of what does not exist, get the same answer, and nothing is stored [PPL-06 S6]', async () => {
  const { ana, cem, boss, message, secret, db } = await startWithTexts()
  const waiting = await ana.does(submitPost, { input: { content: 'Not yet', authorName: 'Ana' } })
  const hidden = await boss.does(createPost, {
    input: { content: 'No', authorName: 'The house', isVisible: false },
  })
  const before = await contentOf(db)
  const answers = []
  for (const [kind, id] of [
    ['message', unknownId],
    ['message', message.id],
    ['message', ana.me.id],
    ['passage', unknownId],
    ['passage', secret.id],
    ['passage', message.id],
    ['post', unknownId],
    ['post', waiting.id],
    ['post', hidden.id],
    ['person', '0000000000'],
    ['person', unknownId],
  ] as const)
    answers.push(await report(cem, kind, id))
  // An admin who is no member reads no passage of a private room and no message of other people.
  answers.push(await report(boss, 'passage', secret.id), await report(boss, 'message', message.id))
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 404, code: 'NothingToReport', body: answers[0]!.body })
  expect(await contentOf(db)).toEqual(before)
})

test('a member reports a passage of a private room, and a reader one of a finished room [PPL-06]', async () => {
  const { ben, cem, clock, passage, secret, listed } = await startWithTexts()
  await reported(ben, 'passage', secret.id)
  clock.advance(3 * 60 * 60_000)
  await reported(cem, 'passage', passage.id)
  expect((await listed()).map(({ targetId }) => targetId)).toEqual([passage.id, secret.id])
})

test('nobody reports their own texts or themself, and nothing is stored [PPL-06]', async () => {
  const { ana, message, passage, post, db } = await startWithTexts()
  const before = await contentOf(db)
  for (const [kind, { id }] of [
    ['message', message],
    ['passage', passage],
    ['post', post],
    ['person', ana.me],
  ] as const)
    expect(await report(ana, kind, id)).toMatchObject({ status: 400, code: 'OwnReport' })
  expect(await contentOf(db)).toEqual(before)
})

test('a guest may report nothing [PPL-06]', async () => {
  const { guest, ana } = await startWithTexts()
  expect(await report(await guest(), 'person', ana.me.id)).toMatchObject({ status: 403, code: 'NotAllowed' })
})

test.each([
  ['no reason', { reason: ' \n ' }],
  ['a reason of 1001 characters', { reason: 'x'.repeat(1001) }],
  ['a kind that cannot be reported', { kind: 'room' }],
  ['an unknown category', { category: 'boring' }],
  ['an id of another form', { targetId: "' or 1=1 --" }],
])('a report with %s is refused, and nothing is stored [PPL-06 S31]', async (_what, wrong) => {
  const { ana, ben, db } = await startWithTexts()
  const before = await contentOf(db)
  expect(await report(ben, 'person', ana.me.id, wrong)).toMatchObject({ status: 400, code: 'InvalidInput' })
  expect(await contentOf(db)).toEqual(before)
})

test('a person who reports the same thing again, even at once, gets the same report until it is closed [PPL-06 R6]', async () => {
  const { ana, ben, cem, boss, post, listed } = await startWithTexts()
  const first = await reported(ben, 'post', post.id)
  const second = await report(ben, 'post', post.id, { reason: 'Still rude.' })
  expect(second).toMatchObject({ status: 201, body: { id: first, isNew: false } })
  expect(await listed()).toMatchObject([{ id: first, reason: 'This is rude.' }])
  const atOnce = await Promise.all(Array.from({ length: 10 }, () => reported(cem, 'person', ana.me.id)))
  expect(new Set(atOnce).size).toBe(1)
  expect(await listed()).toHaveLength(2)
  await boss.does(closeAbuseReport, { params: { id: first }, input: { outcome: 'kept', note: '' } })
  const later = await report(ben, 'post', post.id)
  expect(later).toMatchObject({ status: 201, body: { isNew: true } })
  expect((later.body as { id: string }).id).not.toBe(first)
  // Another reporter has a report of their own.
  expect(await reported(cem, 'post', post.id)).not.toBe(first)
  expect(await listed()).toHaveLength(4)
})

test('two people who have reported each other delete their accounts at once [PPL-06 S15 R5 R6]', async () => {
  // They share nothing else, so that no other lock lets one wait for the other.
  const { db, person } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  await reported(ana, 'person', ben.me.id)
  await reported(ben, 'person', ana.me.id)
  const gate = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const held = db.transaction(async (tx) => {
    // Both deletions wait here, each with its first locks.
    await tx.execute(sql`select 1 from abuse_reports for update`)
    isHeld.resolve()
    await gate.promise
  })
  await isHeld.promise
  const answers = [ana.tries(deleteAccount), ben.tries(deleteAccount)]
  await untilLockWaits(db, 2)
  gate.resolve()
  await held
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
})

test('a person can be reported on either side of a block, with the same answer as anybody [PPL-06 PPL-05]', async () => {
  const { ana, ben, cem, message, listed } = await startWithTexts()
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  await ben.does(blockPerson, { input: { userId: ana.me.id } })
  await reported(ben, 'message', message.id)
  for (const who of [ben, cem]) await reported(who, 'person', ana.me.id)
  await reported(ana, 'person', ben.me.id)
  expect(await listed()).toHaveLength(4)
})

test('a person who reports more than 20 times in an hour has to wait [PPL-06 S47]', async () => {
  const { ben, cem, ana } = await startWithTexts()
  for (let n = 0; n < 20; n++) await report(ben, 'person', ana.me.id)
  expect(await report(ben, 'person', ana.me.id)).toMatchObject({ status: 429, code: 'TooManyRequests' })
  await reported(cem, 'person', ana.me.id)
})

test('nothing that a reported person reads changes by a report [PPL-06]', async () => {
  const { ana, ben, message, db } = await startWithTexts()
  const before = await contentOf(db)
  await reported(ben, 'message', message.id)
  await reported(ben, 'person', ana.me.id)
  const { abuse_reports: reports, ...others } = await contentOf(db)
  const { abuse_reports: reportsBefore, ...othersBefore } = before
  expect(reports!.length - reportsBefore!.length).toBe(2)
  expect(others).toEqual(othersBefore)
})

test('an admin sees the name of an author whose passages do not carry it, and that of a shown one [PPL-06]', async () => {
  const { ana, ben, cem, passage, publicRoom, listed } = await startWithTexts()
  await cem.does(joinRoom, { params: { id: publicRoom }, input: { signsWithName: true } })
  await cem.does(changeSettings, { input: { showName: true } })
  const signed = await cem.does(sendPassage, { params: { id: publicRoom }, input: { content: 'Mine' } })
  await reported(ben, 'passage', passage.id)
  await reported(ben, 'passage', signed.id)
  expect((await listed()).map(({ copy: { authorId, authorName } }) => [authorId, authorName])).toEqual([
    [cem.me.id, 'Person3 Test'],
    [ana.me.id, 'Person1 Test'],
  ])
})

test('the report of a person holds the introduction as it was, which the person then changes [PPL-06]', async () => {
  const { ana, ben, listed } = await startWithTexts()
  await ana.does(changeSettings, { input: { introduction: 'I write rude things.' } })
  await reported(ben, 'person', ana.me.id)
  await ana.does(changeSettings, { input: { introduction: 'I write kind things.' } })
  const [{ copy }] = (await listed()) as [AbuseReport]
  expect(copy.content).toBe(`Person1 Test (${ana.me.username})\n\nI write rude things.`)
})

test('admins read open reports first, then the newest, page by page, each once [PPL-06 S30]', async () => {
  const { person, boss, ana, ben, clock } = await startWithTexts()
  const ids: string[] = []
  for (let n = 0; n < 7; n++) {
    clock.advance(1000)
    ids.push(await reported(ben, 'person', (await person()).me.id))
  }
  for (const place of [1, 5, 2])
    await boss.does(closeAbuseReport, { params: { id: ids[place]! }, input: { outcome: 'kept', note: '' } })
  const expected = [6, 4, 3, 0, 5, 2, 1].map((place) => ids[place])
  const read = async (query: Record<string, string>) => {
    const found: string[] = []
    let before: string | undefined
    do {
      const answer = await boss.tries(listAbuseReports, {
        query: { ...query, ...(before !== undefined && { before }) },
      })
      const page = answer.body as { id: string }[]
      expect(page.length).toBeLessThanOrEqual(Number(query['limit'] ?? 200))
      found.push(...page.map(({ id }) => id))
      before = answer.headers['next-before'] as string | undefined
    } while (before !== undefined)
    return found
  }
  for (const limit of ['1', '2', '3', '7', '50']) expect(await read({ limit })).toEqual(expected)
  expect(await read({ status: 'open', limit: '3' })).toEqual(expected.slice(0, 4))
  expect(await read({ status: 'closed', limit: '2' })).toEqual(expected.slice(4))
  for (const before of ['open', 'open_2025-06-10T12:00:00.000Z_x', `shut_2025-06-10T12:00:00.000Z_${ids[0]}`])
    expect(await boss.tries(listAbuseReports, { query: { before } })).toMatchObject({ status: 400 })
  expect(await ana.tries(listAbuseReports)).toMatchObject({ status: 403 })
})

test('a page of long copies holds fewer reports, and the next page has the others [S51 R24]', async () => {
  const { ana, ben, boss } = await startWithTexts()
  const ids = []
  for (let n = 0; n < 5; n++) {
    const { id } = await ana.does(submitPost, {
      input: { content: `${n} ${'語'.repeat(49_000)}`, authorName: 'Ana', type: 'premium' },
    })
    ids.push(await reported(ben, 'post', id))
  }
  const first = await boss.tries(listAbuseReports)
  const rest = await boss.tries(listAbuseReports, { query: { before: String(first.headers['next-before']) } })
  const pages = [first, rest].map(({ body }) => (body as { id: string }[]).map(({ id }) => id))
  expect(pages.map(({ length }) => length)).toEqual([4, 1])
  expect(pages.flat()).toEqual(ids.toReversed())
  expect(rest.headers['next-before']).toBeUndefined()
})

test('an admin closes a report with an outcome and a note, and both are in the audit log [PPL-12]', async () => {
  const { db, ana, ben, boss, clock, listed } = await startWithTexts()
  const id = await reported(ben, 'person', ana.me.id)
  clock.advance(60_000)
  const input = { outcome: 'warned', note: 'I wrote to Ana.' } as const
  const closed = await boss.does(closeAbuseReport, { params: { id }, input })
  expect(closed).toMatchObject({ id, status: 'closed', ...input, closedBy: 'Person4 Test' })
  expect(closed.closedAt).not.toBeNull()
  expect(await listed()).toEqual([closed])
  const { rows } = await db.execute(
    sql`select actor_id, subject_id, details from audit_log where action = 'report-closed'`,
  )
  expect(rows).toEqual([{ actor_id: boss.me.id, subject_id: id, details: input }])
})

test('a reporter hears the outcome when an admin has closed the report, without the note, and nobody else does [LOOP-23]', async () => {
  const { ana, ben, cem, boss, post } = await startWithTexts()
  const id = await reported(ben, 'post', post.id)
  const before = await Promise.all([ana, cem, boss].map((who) => who.does(listNotifications)))
  const input = { outcome: 'warned', note: 'I wrote to Ana.' } as const
  const { closedAt } = await boss.does(closeAbuseReport, { params: { id }, input })
  const [newest] = await ben.does(listNotifications)
  expect(newest).toMatchObject({ type: 'report.closed' })
  expect(newest!.data).toEqual({ id, kind: 'post', outcome: 'warned', actions: [], closedAt })
  expect(await Promise.all([ana, cem, boss].map((who) => who.does(listNotifications)))).toEqual(before)
})

test('an admin closes the report of a person who has deleted the account, and nobody is notified [LOOP-23 S15]', async () => {
  const { db, ben, boss, post } = await startWithTexts()
  const id = await reported(ben, 'post', post.id)
  await ben.does(deleteAccount)
  const events = async () => (await contentOf(db))['inbox_events']
  const before = await events()
  await boss.does(closeAbuseReport, { params: { id }, input: { outcome: 'kept', note: '' } })
  expect(await events()).toEqual(before)
})

test('of two admins who close one report at once one succeeds, and the other is told and changes nothing [PPL-12 R6]', async () => {
  const { admin, db, ana, ben, boss } = await startWithTexts()
  const other = await admin()
  const id = await reported(ben, 'person', ana.me.id)
  const close = (who: Client, outcome: 'removed' | 'kept') =>
    who.tries(closeAbuseReport, { params: { id }, input: { outcome, note: `Closed as ${outcome}` } })
  const answers = await Promise.all([close(boss, 'removed'), close(other, 'kept')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const before = await contentOf(db)
  const [report] = await boss.does(listAbuseReports, { query: {} })
  expect(report!.closedBy).toMatch(/\w/)
  // A call that differs from the one that has closed the report.
  expect(await close(other, 'removed')).toMatchObject({
    status: 409,
    code: 'ReportClosed',
    error: `${report!.closedBy} has closed this report.`,
  })
  expect(await contentOf(db)).toEqual(before)
  expect(before['audit_log']!.filter((line) => line.includes('report-closed'))).toHaveLength(1)
})

test('a report that does not exist, an unknown outcome and a long note are refused, and nothing changes [PPL-12 S31]', async () => {
  const { db, ana, ben, boss } = await startWithTexts()
  const id = await reported(ben, 'person', ana.me.id)
  const before = await contentOf(db)
  const close = (reportId: string, input: object) =>
    boss.tries(closeAbuseReport, { params: { id: reportId }, input })
  expect(await close(unknownId, { outcome: 'kept', note: '' })).toMatchObject({
    status: 404,
    code: 'ReportNotFound',
  })
  expect(await close(id, { outcome: 'ignored', note: '' })).toMatchObject({ status: 400 })
  expect(await close(id, { outcome: 'kept', note: 'x'.repeat(1001) })).toMatchObject({ status: 400 })
  expect(await close(id, { outcome: 'kept' })).toMatchObject({ status: 400 })
  expect(await contentOf(db)).toEqual(before)
})
