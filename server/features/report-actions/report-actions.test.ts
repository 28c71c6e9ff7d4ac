import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { closeAbuseReport, listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { deleteAccount, getMe, login } from '#contract/account/endpoints.ts'
import { getSuspension } from '#contract/account/suspensions/endpoints.ts'
import { takeBackPost } from '#contract/feed/own/endpoints.ts'
import { changePostsVisibility, changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import { canary, placesOfCanary } from '#server/testing/canary.ts'
import { contentOf } from '#server/testing/content.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { hide, show, startReview } from '#server/testing/reviewing.ts'
import { aRoom } from '#server/testing/rooms.ts'
import type { Client } from '#server/testing/test-app.ts'

type Kind = 'post' | 'passage' | 'message' | 'person'
const unknownId = '00000000-0000-7000-8000-000000000000'
const suspension = { reason: 'You insulted a neighbour.', until: null, hidesTexts: true }
const warning = 'Please leave neighbours out of your poems.'
const password = 'secret pass 1'

/** Ana has a post, a passage and a message; Ben reads and reports them; Boss and Chief are admins. */
async function start() {
  const t = await startReview()
  const { ana, db, boss, publish } = t
  const ben = await t.person()
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  const content = `${canary} about a neighbour`
  const roomId = (await ana.does(createRoom, { input: aRoom() })).id
  const targets: Record<Kind, string> = {
    post: await publish(content),
    passage: (await ana.does(sendPassage, { params: { id: roomId }, input: { content } })).id,
    message: (
      await ana.does(sendMessage, {
        input: { messageType: 'text', receiverId: ben.me.id, content: 'Fool' },
      })
    ).id,
    person: ana.me.id,
  }
  const report = async (kind: Kind, by: Client = ben, targetId = targets[kind]) =>
    (await by.does(reportAbuse, { input: { kind, targetId, reason: 'Unkind.' } })).id
  const close = (id: string, input: object, by: Client = boss) =>
    by.tries(closeAbuseReport, { params: { id }, input: { note: '', ...input } })
  const isShown = async () => (await t.readFeed()).includes(content)
  const audited = async () => {
    const { rows } = await db.execute<{ entry: string }>(sql`
      select concat_ws(' ', action, subject_id, nullif(details::text, '{}')) as entry from audit_log
      where actor_id = ${boss.me.id} and action <> 'post-approval' order by id`)
    return rows.map(({ entry }) => entry)
  }
  const bellOf = async (who: Client) =>
    (await who.does(listNotifications)).map(({ type, data }) => ({ type, data }))
  return { ...t, ben, content, roomId, targets, report, close, isShown, audited, bellOf }
}

test('an admin closes the report of a post and hides the post: the reporter reads so, and the post can be shown again [INST-15]', async () => {
  const { boss, ben, ana, targets, report, close, isShown, audited, bellOf } = await start()
  const id = await report('post')
  const closed = await close(id, { outcome: 'removed', removal: 'hide', note: 'Names a neighbour.' })
  expect(closed.body).toMatchObject({
    status: 'closed',
    outcome: 'removed',
    actions: ['hidden'],
    exists: false,
  })
  expect(await isShown()).toBe(false)
  const [newest] = await bellOf(ben)
  expect(newest).toMatchObject({ type: 'report.closed', data: { outcome: 'removed', actions: ['hidden'] } })
  expect(JSON.stringify(newest)).not.toContain('Names a neighbour.')
  expect((await bellOf(ana))[0]).toMatchObject({ type: 'post.hidden', data: { id: targets.post } })
  expect(await audited()).toEqual([
    `post-hidden ${targets.post}`,
    `report-closed ${id} {"note": "Names a neighbour.", "actions": "hidden", "outcome": "removed"}`,
  ])
  await boss.does(changePostVisibility, show(targets.post))
  expect(await isShown()).toBe(true)
})

test('an admin closes the report of a post and erases it: no copy is left, also not in the answer and in other reports [INST-15 INST-13]', async () => {
  const { db, config, ana, boss, person, targets, report, close, bellOf, audited } = await start()
  await report('post', await person())
  const closeWithKey = (reportId: string, payload: object) =>
    boss.request({
      method: 'POST',
      url: `/api/admin/reports/${reportId}/close`,
      payload: { note: '', ...payload },
      headers: { 'idempotency-key': reportId },
    })
  // This answer has the copy.
  const kept = await closeWithKey(await report('post', await person()), { outcome: 'kept' })
  expect(kept.body).toContain(canary)
  const id = await report('post')
  const closed = await closeWithKey(id, { outcome: 'removed', removal: 'erase' })
  expect(closed.json()).toMatchObject({ actions: ['erased'], exists: false, copy: { content: null } })
  expect(closed.body).not.toContain(canary)
  expect((await bellOf(ana))[0]).toMatchObject({ type: 'post.erased', data: { id: targets.post } })
  expect((await audited()).slice(1)).toEqual([
    `post-erased ${targets.post} {"author": "${ana.me.id}"}`,
    `report-closed ${id} {"note": "", "actions": "erased", "outcome": "removed"}`,
  ])
  // The other place of these words is the passage.
  const passage = await report('passage')
  expect(await close(passage, { outcome: 'removed', removal: 'erase' })).toMatchObject({ status: 200 })
  expect(await placesOfCanary(db, config.dataDir)).toEqual([])
})

test('an admin closes the report of a passage and erases it: a mark stands in its place [INST-15 INST-13]', async () => {
  const { ana, visitor, roomId, targets, report, close, audited } = await start()
  const id = await report('passage')
  const closed = await close(id, { outcome: 'removed', removal: 'erase' })
  expect(closed.body).toMatchObject({ actions: ['erased'], exists: false, copy: { content: null } })
  const [passage] = await visitor().does(listPassages, { params: { id: roomId } })
  expect(passage).toMatchObject({ id: targets.passage, position: 1, isErased: true })
  expect(await audited()).toEqual([
    `passage-erased ${targets.passage} {"room": "${roomId}", "author": "${ana.me.id}"}`,
    `report-closed ${id} {"note": "", "actions": "erased", "outcome": "removed"}`,
  ])
})

test.each(['post', 'passage', 'message', 'person'] as const)(
  'an admin closes the report of a %s and warns the person, who alone reads the words of the admin [INST-15]',
  async (kind) => {
    const { db, ana, ben, chief, boss, report, close, bellOf, audited } = await start()
    const id = await report(kind)
    const others = [chief, boss]
    const before = await Promise.all(others.map(bellOf))
    const closed = await close(id, { outcome: 'warned', warning })
    expect(closed.body).toMatchObject({ outcome: 'warned', actions: ['warned'], exists: true })
    const [newest] = await bellOf(ana)
    expect(newest).toEqual({
      type: 'person.warned',
      data: { id: expect.any(String), about: kind, text: warning, warnedAt: expect.any(String) },
    })
    expect(JSON.stringify(newest)).not.toContain(id)
    expect(JSON.stringify(await bellOf(ben))).not.toContain('neighbours')
    expect((await bellOf(ben))[0]).toMatchObject({ data: { outcome: 'warned', actions: ['warned'] } })
    expect(await Promise.all(others.map(bellOf))).toEqual(before)
    expect(await audited()).toEqual([
      `person-warned ${ana.me.id}`,
      `report-closed ${id} {"note": "", "actions": "warned", "outcome": "warned"}`,
    ])
    const places = Object.entries(await contentOf(db)).filter(([, rows]) => rows.join().includes(warning))
    expect(places.map(([table]) => table)).toEqual(['inbox_events'])
  },
)

test('an admin erases, warns and suspends by one call: the sessions of the person end, and the sign-in says why [INST-15 INST-04]', async () => {
  const { ana, visitor, boss, report, close, bellOf, ben, audited } = await start()
  const id = await report('post')
  const closed = await close(id, { outcome: 'removed', removal: 'erase', warning, suspension })
  expect(closed.body).toMatchObject({ outcome: 'removed', actions: ['erased', 'warned', 'suspended'] })
  expect(await ana.tries(getMe)).toMatchObject({ status: 401 })
  const signIn = { input: { email: ana.me.email!, password } }
  expect(await visitor().tries(login, signIn)).toMatchObject({
    status: 403,
    code: 'Suspended',
    body: { current: suspension },
  })
  expect(await boss.does(getSuspension, { params: { id: ana.me.id } })).toEqual(suspension)
  expect((await bellOf(ben))[0]!.data).toMatchObject({ actions: ['erased', 'warned', 'suspended'] })
  const actions = (await audited()).map((entry) => entry.split(' ')[0])
  expect(actions).toEqual(['post-erased', 'person-warned', 'person-suspended', 'report-closed'])
  expect((await audited()).join()).not.toContain(warning)
})

test('an admin who only suspends hides what the person has published, and the report says warned to older pages [INST-15 INST-04]', async () => {
  const { report, close, isShown } = await start()
  const closed = await close(await report('person'), { outcome: 'warned', suspension })
  expect(closed.body).toMatchObject({ outcome: 'warned', actions: ['suspended'] })
  expect(await isShown()).toBe(false)
})

test.each<[string, Kind, object]>([
  ['hides a passage', 'passage', { outcome: 'removed', removal: 'hide' }],
  ['erases a message', 'message', { outcome: 'removed', removal: 'erase' }],
  ['hides a person', 'person', { outcome: 'removed', removal: 'hide' }],
  ['keeps a post that is hidden', 'post', { outcome: 'kept', removal: 'hide' }],
  ['warns and says that all is kept', 'post', { outcome: 'kept', warning }],
  [
    'hides and says that the author alone was warned',
    'post',
    { outcome: 'warned', removal: 'hide', warning },
  ],
  ['warns without words', 'post', { outcome: 'warned', warning: ' \n' }],
  ['warns by 1001 characters', 'post', { outcome: 'warned', warning: 'x'.repeat(1001) }],
  ['suspends without a reason', 'post', { outcome: 'warned', suspension: { ...suspension, reason: ' ' } }],
  [
    'suspends into the past',
    'post',
    { outcome: 'warned', suspension: { ...suspension, until: '2020-01-01T00:00:00.000Z' } },
  ],
  [
    'warns and suspends into the past',
    'post',
    {
      outcome: 'removed',
      removal: 'erase',
      warning,
      suspension: { ...suspension, until: '2020-01-01T00:00:00.000Z' },
    },
  ],
])('an admin who %s is refused, and nothing changes [INST-15 S31]', async (_what, kind, input) => {
  const { db, report, close } = await start()
  const id = await report(kind)
  const before = await contentOf(db)
  expect(await close(id, input)).toMatchObject({ status: 400, code: 'InvalidInput' })
  expect(await contentOf(db)).toEqual(before)
})

test('an admin who acts on what is gone reads so, and the report stays open [INST-15]', async () => {
  const { db, ana, boss, person, targets, report, close } = await start()
  const reader = await person()
  const [post, passage] = [await report('post'), await report('passage')]
  const others = [await report('post', reader), await report('passage', reader)]
  const gone = async (id: string, input: object) => {
    const before = await contentOf(db)
    expect(await close(id, { outcome: 'removed', warning, ...input })).toMatchObject({
      status: 400,
      code: 'ReportedThingGone',
    })
    expect(await contentOf(db)).toEqual(before)
  }
  // This admin has hidden it.
  await boss.does(changePostVisibility, hide(targets.post))
  await gone(post, { removal: 'hide' })
  await boss.does(changePostVisibility, show(targets.post))
  await ana.does(takeBackPost, { params: { id: targets.post }, query: { kind: 'deleted' } })
  await gone(post, { removal: 'hide' })
  // An erasure reaches what the author took back.
  for (const id of [post, passage])
    expect(await close(id, { outcome: 'removed', removal: 'erase' })).toMatchObject({ status: 200 })
  for (const id of others) await gone(id, { removal: 'erase' })
  const open = await boss.does(listAbuseReports, { query: { status: 'open' } })
  expect(open.map(({ id }) => id).toSorted()).toEqual(others.toSorted())
})

test('an admin who hides a post that another admin has hidden reads who did, and nothing changes [INST-15]', async () => {
  const { db, chief, targets, report, close } = await start()
  const id = await report('post')
  await chief.does(changePostVisibility, hide(targets.post))
  const before = await contentOf(db)
  expect(await close(id, { outcome: 'removed', removal: 'hide', warning })).toMatchObject({
    status: 409,
    code: 'PostDecided',
    error: 'Cleo Reed has already decided about this post. Nothing was changed.',
  })
  expect(await contentOf(db)).toEqual(before)
})

test('of an author without an account the text is removed, and nobody is warned or suspended [INST-15]', async () => {
  const { db, visitor, guest, publish, ben, report, close } = await start()
  const ids = [await publish('By a guest', await guest()), await publish('By nobody', visitor())]
  for (const targetId of ids) {
    const id = await report('post', ben, targetId)
    for (const more of [{ warning }, { suspension }]) {
      const before = await contentOf(db)
      expect(await close(id, { outcome: 'removed', removal: 'hide', ...more })).toMatchObject({
        status: 400,
        code: 'AuthorWithoutAccount',
      })
      expect(await contentOf(db)).toEqual(before)
    }
    expect(await close(id, { outcome: 'removed', removal: 'hide' })).toMatchObject({ status: 200 })
  }
})

test('an admin and the demo account are warned but never suspended, and a refused suspension undoes the erasure [INST-15 INST-04]', async () => {
  const { db, ana, chief, publish, ben, report, close, bellOf } = await start()
  const targetId = await publish('By an admin', chief)
  const id = await report('post', ben, targetId)
  const before = await contentOf(db)
  const all = { outcome: 'removed', removal: 'erase', warning, suspension }
  expect(await close(id, all)).toMatchObject({ status: 403, code: 'AdminCannotBeSuspended' })
  expect(await contentOf(db)).toEqual(before)
  expect(await close(id, { outcome: 'warned', warning })).toMatchObject({ status: 200 })
  expect((await bellOf(chief))[0]).toMatchObject({ type: 'person.warned' })
  await db.execute(sql`update users set is_demo = true where id = ${ana.me.id}`)
  const ofDemo = await report('person')
  const open = await contentOf(db)
  expect(await close(ofDemo, { outcome: 'warned', warning, suspension })).toMatchObject({
    status: 403,
    code: 'DemoAccountStays',
  })
  expect(await contentOf(db)).toEqual(open)
})

test('of two admins who act at once on one report one acts, and the other reads who has closed it [INST-15 PPL-12 R6]', async () => {
  const { db, boss, chief, report, close, isShown } = await start()
  const id = await report('post')
  const answers = await Promise.all([
    close(id, { outcome: 'removed', removal: 'hide' }, boss),
    close(id, { outcome: 'warned', warning, suspension }, chief),
  ])
  const [one, other] = answers.toSorted((a, b) => a.status - b.status)
  expect([one!.status, other!.status, other!.code]).toEqual([200, 409, 'ReportClosed'])
  const wasHidden = answers[0]!.status === 200
  expect(await isShown()).toBe(false)
  const count = (of: string) => db.$count(sql.raw(of))
  expect(await count(`inbox_events where name = 'person.warned'`)).toBe(wasHidden ? 0 : 1)
  expect(await count(`suspensions`)).toBe(wasHidden ? 0 : 1)
  expect(await count(`audit_log where action = 'report-closed'`)).toBe(1)
  expect(await count(`audit_log where action = 'post-hidden'`)).toBe(wasHidden ? 1 : 0)
})

test('an admin closes a report of a passage and erases it while the reporter reports it again: both calls end [INST-15 R6]', async () => {
  const { db, ben, targets, report, close } = await start()
  const id = await report('passage')
  const release = await holdLocks(db, sql`select 1 from abuse_reports where id = ${id} for update`)
  const closing = close(id, { outcome: 'removed', removal: 'erase' })
  await untilLockWaits(db)
  const again = ben.tries(reportAbuse, {
    input: { kind: 'passage', targetId: targets.passage, reason: 'Unkind.' },
  })
  await untilLockWaits(db, 2)
  await release()
  expect(await closing).toMatchObject({ status: 200 })
  expect(await again).toMatchObject({ code: 'NothingToReport' })
})

test('a call that the same admin repeats because its answer was lost does nothing more, and answers like the first one [INST-15 R7]', async () => {
  const { db, report, close } = await start()
  const id = await report('post')
  const all = { outcome: 'removed', removal: 'erase', warning, suspension, note: 'Once' }
  const first = await close(id, all)
  expect(first.status).toBe(200)
  const before = await contentOf(db)
  expect(await close(id, all)).toMatchObject({ status: 200, body: first.body as object })
  expect(await close(id, { ...all, note: 'Twice' })).toMatchObject({ status: 409, code: 'ReportClosed' })
  expect(await contentOf(db)).toEqual(before)
})

test('an admin warns a person while another admin hides posts of this person and of the reporter together: both calls succeed [INST-15 R6]', async () => {
  const { ana, ben, chief, publish, report, close, db } = await start()
  const [low, high] = [ana, ben].toSorted((one, other) => (one.me.id < other.me.id ? -1 : 1)) as [
    Client,
    Client,
  ]
  const postIds = [await publish('A line', low), await publish('Another line', high)]
  const id = await report('person', low, high.me.id)
  const held = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from inboxes where user_id = ${low.me.id} for update`)
    isLocked.resolve()
    await held.promise
  })
  await isLocked.promise
  const hiding = chief.tries(changePostsVisibility, { input: { postIds, isVisible: false } })
  await untilLockWaits(db)
  const closing = close(id, { outcome: 'warned', warning })
  await untilLockWaits(db, 2)
  held.resolve()
  await holding
  expect([(await hiding).status, (await closing).status]).toEqual([200, 200])
})

test('a warning goes with the account of the person, and stays when the admin and the reporter are gone [INST-15 S15]', async () => {
  const { db, ana, ben, chief, report, close } = await start()
  await close(await report('message'), { outcome: 'warned', warning }, chief)
  await ben.does(deleteAccount)
  await db.execute(sql`delete from users where id = ${chief.me.id}`)
  const [newest] = await ana.does(listNotifications)
  expect(newest).toMatchObject({ type: 'person.warned', data: { text: warning } })
  await ana.does(deleteAccount)
  expect(JSON.stringify(await contentOf(db))).not.toContain(warning)
})

test('nobody but an admin closes a report with actions, and nothing changes [INST-15 S2]', async () => {
  const { db, ana, ben, guest, visitor, report, close } = await start()
  const id = await report('post')
  const callers = [ana, ben, await guest(), visitor()]
  const withoutLog = async () => ({ ...(await contentOf(db)), audit_log: [] })
  const before = await withoutLog()
  const all = { outcome: 'removed', removal: 'erase', warning, suspension }
  const answers = await Promise.all(callers.map((who) => close(id, all, who)))
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 401])
  expect(await close(unknownId, all)).toMatchObject({ status: 404, code: 'ReportNotFound' })
  expect(await withoutLog()).toEqual(before)
})
