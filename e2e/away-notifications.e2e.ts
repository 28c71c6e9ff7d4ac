import { login, register } from '#contract/account/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { confirmEmail } from '#contract/mails/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { openRelay, textsOf } from '#server/testing/smtp-server.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { startWithClock } from './clock.ts'
import { examine } from './examine.ts'
import { expect, test } from './test.ts'

const origin = 'http://zimmer.example'

test('a person who was away gets one mail after 30 minutes, and switches all mails off by one press, without signing in [REACH-04 REACH-05 REACH-08]', async ({
  page,
  processes,
}) => {
  test.setTimeout(120_000)
  const relay = await openRelay()
  const server = await startWithClock(processes, {
    SMTP_URL: relay.url,
    MAIL_FROM: 'desk@zimmer.example',
    PUBLIC_ORIGIN: origin,
  })
  const signUp = async (firstName: string) => {
    const client = new HttpClient(() => server.url)
    const email = `${firstName.toLowerCase()}@example.org`
    const input = { email, password: 'secret1', firstName, lastName: 'Lima' }
    const { id } = await client.does(register, { input })
    const [, token] = /#([\w-]{43})/.exec(textsOf(await relay.mailTo(email, 'Confirm')).text)!
    await client.does(confirmEmail, { input: { token: token! } })
    return { client, email, id }
  }
  const ana = await signUp('Ana')
  const ben = await signUp('Ben')
  await ana.client.does(addFriend, { input: { friendUserId: ben.id } })
  const write = () =>
    ana.client.does(sendMessage, {
      input: { messageType: 'text', receiverId: ben.id, content: 'a private text' },
    })
  await write()
  await server.restart('SIGKILL', new Date(Date.now() + 31 * 60_000))
  const mail = await relay.mailTo(ben.email, 'new for you')
  expect(textsOf(mail).text).toContain('Ana Lima wrote to you.')
  expect(mail.source).not.toContain('a private text')

  const [link = ''] = /http:\/\/zimmer\.example\/notices#[\w-]{43}/.exec(textsOf(mail).text) ?? []
  await page.goto(link.replace(origin, server.url))
  await expect(page.getByRole('heading', { name: 'Choose which mails you get' })).toBeVisible()
  await examine(page, 'the page of the choices')
  await page.getByRole('button', { name: 'Switch all mails off' }).click()
  await expect(page.getByRole('heading', { name: 'All mails are off' })).toBeFocused()
  await expect(page.getByRole('switch', { name: 'Mails' })).not.toBeChecked()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'All mails are off' })).toBeVisible()

  await page.close()
  await ana.client.does(login, { input: { email: ana.email, password: 'secret1' } })
  await write()
  const cleo = await signUp('Cleo')
  await cleo.client.does(addFriend, { input: { friendUserId: ana.id } })
  await server.restart('SIGTERM', new Date(Date.now() + 65 * 60_000))
  // The mail about what came last is sent last.
  await relay.mailTo(ana.email, 'Cleo')
  expect(
    relay.received.filter(({ to, headers }) => to[0] === ben.email && headers.has('list-unsubscribe')),
  ).toHaveLength(1)
  await server.stop()
  await relay.close()
})
