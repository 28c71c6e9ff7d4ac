import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { closeAbuseReport, listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { allEncryptedTables } from '#server/features.ts'
import { changeDiaryKey } from '#server/features/day-texts/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { atServerWithKey, startTestApp } from '#server/testing/test-app.ts'

const [keyA, keyB] = ['a1'.repeat(32), 'b2'.repeat(32)]
const texts = { content: 'A secret of the moon', reason: 'He told a secret' }

async function startWithReport(diaryKey: string | null = keyA) {
  const t = await startTestApp({ config: { diaryKey: diaryKey ?? undefined } })
  const [ana, ben, boss] = [await t.person(), await t.person(), await t.admin()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  const send = async (content: string) =>
    (await ana.does(sendMessage, { input: { messageType: 'text', receiverId: ben.me.id, content } })).id
  const report = async (targetId: string) =>
    ben.tries(reportAbuse, { input: { kind: 'message', targetId, reason: texts.reason } })
  const another = await send('Another one')
  await report(await send(texts.content))
  /** The browser of a person, the admin by default, at a server that was started with another key. */
  const startWith = (otherKey: string | undefined, who = boss) => atServerWithKey(t, otherKey, who)
  return { ...t, ana, ben, boss, report, another, startWith }
}

test('with a key no table holds the text of a reported message or the words of the reporter, and an admin reads both [S44 PPL-06 PPL-10]', async () => {
  const { db, boss } = await startWithReport()
  const content = JSON.stringify(await contentOf(db))
  for (const text of Object.values(texts)) {
    expect(content).not.toContain(text)
    expect(content).not.toContain(Buffer.from(text).toString('hex'))
  }
  expect(await boss.does(listAbuseReports)).toMatchObject([
    { reason: texts.reason, copy: { content: texts.content } },
  ])
})

test.each([
  ['the first key', null],
  ['another key', keyA],
])('after %s is set the command carries the reports too [S44 PPL-06]', async (_which, diaryKey) => {
  const { db, startWith } = await startWithReport(diaryKey)
  const config = { diaryKey: diaryKey ?? undefined, newDiaryKey: keyB }
  await changeDiaryKey({ database: db, random: systemRandom, config }, allEncryptedTables)
  const withNew = await startWith(keyB)
  expect(await withNew.does(listAbuseReports)).toMatchObject([
    { reason: texts.reason, copy: { content: texts.content } },
  ])
  expect(JSON.stringify(await contentOf(db))).not.toContain(Buffer.from(texts.content).toString('hex'))
})

test('a process that still has the old key shows no report and stores none [S44 PPL-06]', async () => {
  const { db, boss, report, another, startWith } = await startWithReport()
  const config = { diaryKey: keyA, newDiaryKey: keyB }
  await changeDiaryKey({ database: db, random: systemRandom, config }, allEncryptedTables)
  const before = await contentOf(db)
  const locked = { status: 503, code: 'DiaryLocked' }
  expect(await report(another)).toMatchObject(locked)
  expect(await boss.tries(listAbuseReports)).toMatchObject(locked)
  expect(await (await startWith(undefined)).tries(listAbuseReports)).toMatchObject(locked)
  expect(await contentOf(db)).toEqual(before)
})

test('a copy that was moved to another report is shown as damaged, and the others are read [S44]', async () => {
  const { db, boss, report, another } = await startWithReport()
  await report(another)
  await db.execute(sql`
    update abuse_reports set content = (select content from abuse_reports first order by id limit 1)
    where target_id = ${another}`)
  expect(await boss.does(listAbuseReports)).toMatchObject([
    { reason: texts.reason, copy: { content: null } },
    { reason: texts.reason, copy: { content: texts.content } },
  ])
})

/** Reports of Ben about two people, one with an introduction. The admin has read the names. */
async function startWithReportedPeople(diaryKey: string | null) {
  const t = await startWithReport(diaryKey)
  const people = [await t.person({ firstName: 'Cemile' }), await t.person({ firstName: 'Cemile' })]
  await people[0]!.does(changeSettings, { input: { introduction: 'A writer of the moon', base: '' } })
  for (const { me } of people)
    await t.ben.does(reportAbuse, { input: { kind: 'person', targetId: me.id, reason: texts.reason } })
  const ofPeople = async () =>
    (await t.boss.does(listAbuseReports)).filter(({ kind }) => kind === 'person').toReversed()
  expect(await ofPeople()).toMatchObject([
    { copy: { content: `Cemile Test (${people[0]!.me.username})\n\nA writer of the moon` } },
    { copy: { content: `Cemile Test (${people[1]!.me.username})` } },
  ])
  return { ...t, people, ofPeople }
}

test.each([
  ['without a key', null, undefined],
  ['with a key', keyA, keyA],
  ['at a server that has another key', keyA, keyB],
])(
  'after reported people have deleted their accounts %s an admin reads the open reports without names, and closing them deletes them [S15 S44 PPL-06]',
  async (_how, diaryKey, keyAtDeletion) => {
    const { db, people, boss, ofPeople, startWith } = await startWithReportedPeople(diaryKey)
    for (const person of people) await (await startWith(keyAtDeletion, person)).does(deleteAccount)
    const left = { authorId: null, authorName: 'Deleted user' }
    const reports = await ofPeople()
    expect(reports).toMatchObject([
      { reason: texts.reason, exists: false, copy: { ...left, content: 'A writer of the moon' } },
      { reason: texts.reason, exists: false, copy: { ...left, content: '' } },
    ])
    const { abuse_reports: stored } = await contentOf(db)
    for (const { me } of people)
      for (const trace of [me.id, me.username!, 'Cemile']) {
        expect(String(stored)).not.toContain(trace)
        expect(String(stored)).not.toContain(Buffer.from(trace).toString('hex'))
      }
    for (const { id } of reports)
      await boss.does(closeAbuseReport, { params: { id }, input: { outcome: 'kept', note: '' } })
    expect(await ofPeople()).toEqual([])
  },
)

test('a report whose copy an earlier version stored together with the names keeps its reason after the deletion, and loses the copy [S15 S44]', async () => {
  const { db, people, ofPeople } = await startWithReportedPeople(keyA)
  await db.execute(sql`update abuse_reports set author_username = null`)
  for (const person of people) await person.does(deleteAccount)
  const config = { diaryKey: keyA, newDiaryKey: keyB }
  const left = { reason: texts.reason, copy: { content: null, authorName: 'Deleted user' } }
  expect(await ofPeople()).toMatchObject([left, left])
  expect(await changeDiaryKey({ database: db, random: systemRandom, config }, allEncryptedTables)).toContain(
    '5 texts are encrypted with the new key',
  )
})
