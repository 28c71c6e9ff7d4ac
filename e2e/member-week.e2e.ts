import { register } from '#contract/account/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { confirmEmail } from '#contract/mails/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { getAwayNotificationChoices } from '#contract/away-notifications/endpoints.ts'
import { getPushDevice } from '#contract/push/endpoints.ts'
import type { PushContent } from '#contract/push/path.ts'
import { openPushService } from '#server/testing/push-server.ts'
import { openRelay, type ReceivedMail, textsOf } from '#server/testing/smtp-server.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { startWithClock } from './clock.ts'
import { observeWorker, subscribeAt, toggle } from './push-browser.ts'
import { expect, shareSession, test } from './test.ts'

test.use({ serviceWorkers: 'allow' })

const origin = 'http://zimmer.example'
const hours = 3_600_000
const patience = { timeout: 60_000 }

test('a week of a member: a push on the own device, one digest a day in place of it, all mails off by one press from the mail, and after the log-out neither a mail nor a push [REACH-03 REACH-05 REACH-07 REACH-08 REACH-09]', async ({
  page,
  context,
  processes,
  forgive,
}) => {
  test.setTimeout(240_000)
  // The server restarts while the page is open, and the log-out ends the session.
  forgive(/Failed to|ERR_CONNECTION|status of 40[14]|status of 50/)
  const relay = await openRelay()
  const pushes = await openPushService()
  const server = await startWithClock(processes, {
    SMTP_URL: relay.url,
    MAIL_FROM: 'desk@zimmer.example',
    PUBLIC_ORIGIN: origin,
    NODE_OPTIONS: `--import=${new URL(`push-to-loopback.ts?port=${pushes.port}`, import.meta.url).href}`,
  })
  const begin = Date.now()
  const goOn = (ms: number) => server.restart('SIGTERM', new Date(begin + ms))
  const open = (path: string) => page.goto(server.url + path)
  const stored = async ({ path }: { path: string }) =>
    (await page.request.get(server.url + path)).json() as Promise<object>
  const linkIn = (mail: ReceivedMail) =>
    /http:\/\/zimmer\.example\/\w+#[\w-]{43}/.exec(textsOf(mail).text)![0].replace(origin, server.url)
  const awayMailsTo = (email: string) =>
    relay.received.filter(({ to, headers }) => to[0] === email && headers.has('list-unsubscribe'))
  const signUp = async (firstName: string) => {
    const client = new HttpClient(() => server.url)
    const email = `${firstName.toLowerCase()}@example.org`
    const input = { email, password: 'secret1', firstName, lastName: 'Lima' }
    const { id } = await client.does(register, { input })
    const [, token] = /#(.+)/.exec(linkIn(await relay.mailTo(email, 'Confirm')))!
    await client.does(confirmEmail, { input: { token: token! } })
    const writesTo = (receiverId: string) =>
      client.does(sendMessage, { input: { messageType: 'text', receiverId, content: 'a private text' } })
    return { client, email, id, writesTo }
  }
  try {
    const [ana, ben, cleo] = [await signUp('Ana'), await signUp('Ben'), await signUp('Cleo')]
    for (const { id } of [ana, cleo]) await ben.client.does(addFriend, { input: { friendUserId: id } })

    const device = pushes.subscribe()
    await subscribeAt(context, device)
    await shareSession(page, ana)

    // The device gets a push, and no mail follows.
    await open('/settings#part-notifications')
    await toggle(page).click()
    await expect.poll(() => stored(getPushDevice), patience).toMatchObject({ endpoint: device.endpoint })
    await page.goto('about:blank')
    await ben.writesTo(ana.id)
    await expect.poll(() => pushes.received.length, patience).toBe(1)
    const content = pushes.received[0]!.content as unknown as PushContent
    expect(content).toMatchObject({ title: 'A friend wrote to you', path: `/messages?friend=${ben.id}` })
    await open('/dashboard')
    const worker = await observeWorker(page)
    await worker.deliver(content)
    const shown = `shows ${content.topic}: A friend wrote to you, no text`
    await expect.poll(worker.done).toContain(shown)

    // One mail a day takes the place of single pushes.
    await open('/settings#part-notifications')
    await page.getByRole('switch', { name: 'One mail a day' }).click()
    await expect.poll(() => stored(getAwayNotificationChoices)).toMatchObject({ digestHour: 8 })
    await page.goto('about:blank')
    await ben.writesTo(ana.id)
    await goOn(25 * hours)
    const digest = await relay.mailTo(ana.email, 'List-Unsubscribe')
    expect(textsOf(digest).text).toContain('Ben Lima wrote to you')
    expect(digest.source).not.toContain('a private text')
    expect(pushes.received).toHaveLength(1)
    expect(awayMailsTo(ana.email)).toHaveLength(1)

    // One press in the mail ends all mails, and the log-out ends the pushes.
    await page.goto(linkIn(digest))
    await page.getByRole('button', { name: 'Switch all mails off' }).click()
    await expect(page.getByRole('heading', { name: 'All mails are off' })).toBeVisible()
    await open('/settings#part-notifications')
    await expect(page.getByRole('switch', { name: 'Mails' })).not.toBeChecked()
    await expect(toggle(page)).toBeChecked()
    await page.getByRole('button', { name: 'Log out' }).first().click()
    await expect(page.getByRole('link', { name: 'Forgot your passcode?' })).toBeVisible()
    await page.goto('about:blank')
    await ben.writesTo(ana.id)
    await cleo.writesTo(ben.id)
    await goOn(60 * hours)
    // Ben is told of a later message.
    await relay.mailTo(ben.email, 'List-Unsubscribe')
    expect(awayMailsTo(ana.email)).toHaveLength(1)
    expect(pushes.received).toHaveLength(1)
  } finally {
    await page.close()
    await server.stop()
    await relay.close()
    pushes.close()
  }
})
