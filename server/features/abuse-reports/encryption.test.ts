import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { buildApp } from '#server/app.ts'
import { allEncryptedTables } from '#server/encrypted-tables.ts'
import { changeDiaryKey } from '#server/features/day-texts/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf } from '#server/testing/content.ts'
import { Client, startTestApp } from '#server/testing/test-app.ts'

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
  /** The browser of the admin, at a server that was started with another key. */
  const startWith = async (otherKey: string | undefined) => {
    const app = await buildApp({
      config: { ...t.config, diaryKey: otherKey },
      database: t.db,
      clock: t.clock,
      random: systemRandom,
    })
    onTestFinished(() => app.close())
    const client = new Client((options) => app.inject(options))
    for (const [name, value] of boss.cookies) client.cookies.set(name, value)
    return client
  }
  return { ...t, boss, report, another, startWith }
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
