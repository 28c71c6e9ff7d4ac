import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  changeChoicesOfLink,
  findAwayNotificationLink,
  getAwayNotificationChoices,
} from '#contract/away-notifications/endpoints.ts'
import { createLog } from '#server/log.ts'
import { contentOf } from '#server/testing/content.ts'
import { textsOf } from '#server/testing/smtp-server.ts'
import { hour, linksIn, startFriendsWithMail } from '#server/testing/away-notifications.ts'

const oneClick = {
  method: 'POST' as const,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: 'List-Unsubscribe=One-Click',
}

async function startWithAwayNotification(options: Parameters<typeof startFriendsWithMail>[1] = {}) {
  const t = await startFriendsWithMail({}, options)
  await t.writes(t.ana, t.ben, 'hello')
  t.wait()
  const mail = await t.relay.mailTo('ben@example.org', 'Ana Lima')
  await expect.poll(() => t.db.execute(sql`select 1 from mails`).then(({ rowCount }) => rowCount)).toBe(0)
  return { ...t, mail, ...linksIn(mail) }
}

test('a mail to a person who is away has the headers of one click and a link to all choices, whose tokens are stored nowhere [REACH-05 S57]', async () => {
  const t = await startWithAwayNotification()
  expect(t.mail.headers.get('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
  expect(textsOf(t.mail).html).toContain(`href="https://zimmer.example/notices#${t.token}"`)
  const stored = JSON.stringify(await contentOf(t.db))
  for (const secret of [t.token, t.path.split('/')[2]!]) expect(stored).not.toContain(secret)
})

test.each([
  oneClick,
  {
    ...oneClick,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  },
])(
  'a mail program switches all mails off by one POST as $headers, without a session [REACH-05]',
  async (call) => {
    const t = await startWithAwayNotification()
    const answer = await t.app.inject({ ...call, url: t.path })
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined])
    expect(await t.ben.does(getAwayNotificationChoices)).toMatchObject({ byMail: false, messages: true })
    expect(await t.ana.does(getAwayNotificationChoices)).toMatchObject({ byMail: true })
    await t.app.inject({ ...call, url: t.path })
    expect(await t.ben.does(getAwayNotificationChoices)).toMatchObject({ byMail: false })
  },
)

test.each(['GET', 'HEAD'] as const)(
  'a program that opens the link by %s changes nothing, and comes to the page [REACH-05]',
  async (method) => {
    const t = await startWithAwayNotification()
    const before = await contentOf(t.db)
    const answer = await t.app.inject({ method, url: t.path })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(`/notices#${t.path.split('/')[2]}`)
    expect(await contentOf(t.db)).toEqual(before)
  },
)

test('by the link of the text a person reads and changes all choices without a session [REACH-05]', async () => {
  const t = await startWithAwayNotification()
  const { token } = t
  expect(await t.visitor().does(findAwayNotificationLink, { input: { token } })).toMatchObject({
    choices: { byMail: true },
    mayChange: true,
  })
  const changes = { messages: false, weekly: true, digestHour: 8, timeZone: 'Asia/Tokyo' }
  const changed = await t.visitor().does(changeChoicesOfLink, { input: { token, changes } })
  expect(changed).toMatchObject(changes)
  expect(await t.ben.does(getAwayNotificationChoices)).toEqual(changed)
})

test('the token of List-Unsubscribe, which logs may keep, switches mails off and does nothing else [REACH-05 S57]', async () => {
  const t = await startWithAwayNotification()
  const token = t.path.split('/')[2]!
  const before = await contentOf(t.db)
  for (const changes of [{ byMail: true }, { byMail: false, weekly: true }, { quietHours: null }])
    expect(await t.visitor().tries(changeChoicesOfLink, { input: { token, changes } })).toMatchObject({
      status: 403,
      code: 'UnsubscribesAlone',
    })
  expect(await contentOf(t.db)).toEqual(before)
  const changes = { byMail: false }
  expect(await t.visitor().does(changeChoicesOfLink, { input: { token, changes } })).toMatchObject(changes)
})

test('an unknown or expired link changes nothing, and the answers are alike [REACH-05 S57]', async () => {
  const t = await startWithAwayNotification()
  t.clock.advance(61 * 24 * hour)
  const before = await contentOf(t.db)
  const input = { changes: { byMail: false } }
  const answers = []
  for (const token of ['', 'a'.repeat(43), t.token, t.path.split('/')[2]!]) {
    answers.push(await t.visitor().tries(changeChoicesOfLink, { input: { ...input, token } }))
    answers.push(await t.visitor().tries(findAwayNotificationLink, { input: { token } }))
  }
  for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]!.body])
  expect((await t.app.inject({ ...oneClick, url: t.path })).statusCode).toBe(404)
  expect(await contentOf(t.db)).toEqual(before)
})

test('no token of a link stands in the log of the server [REACH-05 S57]', async () => {
  const lines: string[] = []
  const logger = createLog('trace', { write: (line) => void lines.push(line) })
  const t = await startWithAwayNotification({ logger })
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const)
    await t.app.inject({ ...oneClick, method, url: t.path })
  await t.app.inject({ ...oneClick, url: `${t.path}${'x'.repeat(300)}` })
  for (const secret of [t.token, t.path.split('/')[2]!]) expect(lines.join('')).not.toContain(secret)
})
