import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { closeAbuseReport, listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { getMe } from '#contract/account/endpoints.ts'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { approvePost } from '#contract/feed/endpoints.ts'
import { createRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { hide, startReview } from '#server/testing/reviewing.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { aRoom } from '#server/testing/rooms.ts'
import type { Client } from '#server/testing/test-app.ts'

const suspension = { reason: 'You insulted a neighbour.', until: null, hidesTexts: false }

/** Ana writes, Ben reports, Mia is a moderator, Boss an admin. */
async function start() {
  const t = await startReview()
  const [ben, mia] = [await t.person(), await t.moderator({ firstName: 'Mia', lastName: 'Stone' })]
  const reportPerson = async (who: Client, by = ben) =>
    (
      await by.does(reportAbuse, {
        input: { kind: 'person', targetId: who.me.id, reason: 'Unkind.' },
      })
    ).id
  const reportPost = async (targetId: string) =>
    (await ben.does(reportAbuse, { input: { kind: 'post', targetId, reason: 'Unkind.' } })).id
  const close = (id: string, input: object, by = mia) =>
    by.tries(closeAbuseReport, { params: { id }, input: { note: '', ...input } })
  const listed = async (by: Client) => (await by.does(listAbuseReports)).map(({ id }) => id)
  return { ...t, ben, mia, reportPerson, reportPost, close, listed }
}

test('a moderator approves a post, hides another one, and closes a report with a warning and a suspension; admins read in the log who did it [INST-05 S49]', async () => {
  const { ana, boss, mia, submit, publish, reportPost, close, readFeed } = await start()
  const waiting = await submit('A poem that waits')
  await mia.does(approvePost, { params: { id: waiting } })
  const rude = await publish('A rude line')
  const hidden = await publish('A line to hide')
  await mia.does(changePostVisibility, hide(hidden))
  const answer = await close(await reportPost(rude), {
    outcome: 'removed',
    removal: 'hide',
    warning: 'Please be kind.',
    suspension,
  })
  expect(answer.body).toMatchObject({
    status: 'closed',
    closedBy: 'Mia Stone',
    actions: ['hidden', 'warned', 'suspended'],
  })
  expect(await readFeed()).toEqual(['A poem that waits'])
  expect((await ana.tries(getMe)).status).toBe(401)
  const log = await boss.does(listAuditEntries, { query: { about: mia.me.id } })
  expect(log.map(({ action }) => action).toReversed()).toEqual([
    'post-approval',
    'post-hidden',
    'post-hidden',
    'person-warned',
    'person-suspended',
    'report-closed',
  ])
  expect(new Set(log.map(({ actorName }) => actorName))).toEqual(new Set(['Mia Stone']))
})

test('a moderator erases no post and no passage by closing a report, and the report stays open; nothing changes [INST-05 INST-13]', async () => {
  const { ana, ben, boss, db, publish, reportPost, close } = await start()
  const { id: roomId } = await ana.does(createRoom, { input: aRoom() })
  const passage = await ana.does(sendPassage, { params: { id: roomId }, input: { content: 'A rude end' } })
  const reports = [
    await reportPost(await publish('A rude line')),
    (
      await ben.does(reportAbuse, {
        input: { kind: 'passage', targetId: passage.id, reason: 'Unkind.' },
      })
    ).id,
  ]
  const before = await contentOf(db)
  const erasing = { outcome: 'removed', removal: 'erase' }
  for (const id of reports)
    expect(await close(id, erasing)).toMatchObject({ status: 403, code: 'NotAllowed' })
  expect(await contentOf(db)).toEqual(before)
  for (const id of reports) expect((await close(id, erasing, boss)).status).toBe(200)
})

test('a moderator suspends no admin and no moderator by closing a report, and the report stays open; nothing changes [INST-05]', async () => {
  const { boss, moderator, db, reportPerson, close } = await start()
  const other = await moderator()
  const cases = [
    [await reportPerson(boss), 'AdminCannotBeSuspended'],
    [await reportPerson(other), 'ModeratorCannotBeSuspended'],
  ] as const
  const before = await contentOf(db)
  for (const [id, code] of cases) expect((await close(id, { outcome: 'warned', suspension })).code).toBe(code)
  expect(await contentOf(db)).toEqual(before)
  expect((await close(cases[1][0], { outcome: 'warned', suspension }, boss)).status).toBe(200)
})

test('for a moderator a report about themself does not exist, neither in the list nor to be closed; for others it does [INST-05 S6]', async () => {
  const { ana, boss, mia, moderator, db, reportPerson, close, listed } = await start()
  const [aboutMia, aboutAna] = [await reportPerson(mia), await reportPerson(ana)]
  expect(await listed(mia)).toEqual([aboutAna])
  for (const by of [boss, await moderator()]) expect(await listed(by)).toEqual([aboutAna, aboutMia])
  // The author of a report without one is nobody, and so not the moderator.
  await db.execute(sql`update abuse_reports set reported_id = null where id = ${aboutAna}`)
  expect(await listed(mia)).toEqual([aboutAna])
  const before = await contentOf(db)
  expect(await close(aboutMia, { outcome: 'kept' })).toMatchObject({ status: 404, code: 'ReportNotFound' })
  expect(await contentOf(db)).toEqual(before)
})
