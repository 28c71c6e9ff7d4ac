import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword } from '#contract/account/endpoints.ts'
import { changeInstanceSettings } from '#contract/instance/endpoints.ts'
import { emails } from '#server/features/account/index.ts'
import { textsOf } from '#server/testing/smtp-server.ts'
import { startWithMail } from '#server/testing/mails.ts'

test('an admin whose passcode was changed reads of the command of the server, and gets no link that would send nothing [REACH-06 S60]', async () => {
  const t = await startWithMail()
  const email = 'boss@example.org'
  const boss = await t.admin({ email })
  await t.db
    .update(emails)
    .set({ confirmedAt: sql`app_now()` })
    .where(eq(emails.userId, boss.me.id))
  await boss.does(changePassword, { input: { newPassword: 'another admin password' } })
  const { text, html } = textsOf(await t.relay.mailTo(email, 'was changed'))
  for (const part of [text, html]) {
    expect(part).toContain('on the server')
    expect(part).not.toContain('zimmer.example/reset')
  }
  await t.confirm()
  await t.ana.does(changePassword, { input: { newPassword: 'another pass' } })
  expect(textsOf(await t.relay.mailTo(t.email, 'was changed')).text).toContain('zimmer.example/reset')
})

test('a mail bears the name and the address for questions that admins have set [INST-01 REACH-06]', async () => {
  const t = await startWithMail()
  const boss = await t.admin()
  const chosen = { name: 'Night School', supportEmail: 'help@school.example' }
  await boss.does(changeInstanceSettings, { input: { base: null, ...chosen } })
  await t.person({ email: 'ben@example.org' })
  const mail = await t.relay.mailTo('ben@example.org', 'Confirm')
  expect(mail.headers.get('from')).toEqual(['Night School <desk@zimmer.example>'])
  expect(mail.headers.get('subject')).toEqual(['Confirm your email address for Night School'])
  expect(textsOf(mail).text).toContain('sent by Night School')
  expect(textsOf(mail).text).toContain('Write to help@school.example')
})
