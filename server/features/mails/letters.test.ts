import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword } from '#contract/account/endpoints.ts'
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
