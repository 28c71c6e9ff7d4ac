import { openRelay, textsOf } from '#server/testing/smtp-server.ts'
import { examine } from './examine.ts'
import { test as base, expect, shareSession, signIn } from './test.ts'

type Relay = Awaited<ReturnType<typeof openRelay>>

/** An app that sends its mails to a server of the test, which refuses one address for good. */
const test = base.extend<object, { relay: Relay }>({
  relay: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
    async ({}, run) => {
      const relay = await openRelay({
        onRcptTo: ({ address }, _session, done) =>
          done(
            address.startsWith('gone')
              ? Object.assign(new Error('No such mailbox'), { responseCode: 550 })
              : null,
          ),
      })
      await run(relay)
      await relay.close()
    },
    { scope: 'worker' },
  ],
  settings: [
    async ({ relay }, run) =>
      run({
        SMTP_URL: relay.url,
        MAIL_FROM: 'desk@zimmer.example',
        PUBLIC_ORIGIN: 'http://zimmer.example',
        COMPANY_NAME: 'The Lamp House',
      }),
    { scope: 'worker' },
  ],
})

/** The link of a mail, on the origin of the app. */
const linkIn = (mail: Relay['received'][number], url: string) => {
  const [link = ''] = /http:\/\/zimmer\.example\/\w+#[\w-]{43}/.exec(textsOf(mail).text) ?? []
  return link.replace('http://zimmer.example', url)
}

test('a person confirms the address by a mailed link, forgets the passcode, and sets a new one by another link [REACH-02 REACH-03 S57]', async ({
  page,
  app,
  relay,
  open,
  forgive,
}) => {
  // The used link is tried again, and the sessions of the person end.
  forgive(/status of 404|Failed to (confirm|reset)|Failed to fetch user|status of 401/)
  const ben = await app.signUp({ firstName: 'Ben', email: 'ben@example.org' })
  await shareSession(page, ben)
  await page.goto('/settings#part-email')
  const own = page.getByRole('region', { name: 'Email' })
  await expect(own.getByText('Not confirmed')).toBeVisible()
  await own.getByRole('button', { name: 'Send a link to confirm' }).click()
  await expect(own.getByText('A link is on its way. It is good for seven days.')).toBeVisible()

  const mailbox = await open()
  const asked: string[] = []
  mailbox.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''))
  const confirmation = linkIn(await relay.mailTo(ben.email, 'Confirm'), app.url)
  await mailbox.goto(confirmation)
  await examine(mailbox, 'the page of a confirmation')
  await mailbox.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(mailbox.getByRole('heading', { name: 'Your address is confirmed' })).toBeFocused()
  await mailbox.goto('about:blank')
  await mailbox.goto(confirmation)
  await mailbox.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(mailbox.getByRole('heading', { name: 'This link is no longer good' })).toBeFocused()
  await page.reload()
  await expect(own.getByText('Confirmed', { exact: true })).toBeVisible()

  await mailbox.goto(`${app.url}/?onboarding=true`)
  await mailbox.getByRole('link', { name: 'Forgot your passcode?' }).click()
  await expect(mailbox.getByRole('heading', { name: 'Forgot your passcode?' })).toBeVisible()
  await examine(mailbox, 'the page that asks for a link')
  await mailbox.getByLabel('Email').fill(ben.email)
  await mailbox.getByRole('button', { name: 'Send me a link' }).click()
  await expect(mailbox.getByRole('heading', { name: 'Look into your mailbox' })).toBeFocused()
  await examine(mailbox, 'the page of a link under way')
  await mailbox.goto(linkIn(await relay.mailTo(ben.email, 'Set a new passcode'), app.url))
  await mailbox.getByLabel('New passcode').fill('remembered1')
  await mailbox.getByRole('button', { name: 'Set passcode' }).click()
  await expect(mailbox.getByRole('heading', { name: 'Your new passcode is set' })).toBeFocused()
  await relay.mailTo(ben.email, 'was changed')
  expect(asked.filter((address) => address.includes('#') || /[\w-]{43}$/.test(address))).toEqual([])
  await signIn(mailbox, { email: ben.email, password: 'remembered1' })
  await mailbox.goto(`${app.url}/settings#part-email`)
  await expect(mailbox.getByRole('region', { name: 'Email' }).getByText('ben@example.org')).toBeVisible()
})

test('an admin finds a mail that was refused for good, and puts it into the queue again [REACH-06]', async ({
  page,
  app,
}) => {
  const gone = await app.signUp({ firstName: 'Gus', email: 'gone@example.org' })
  await shareSession(page, app.admin)
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Unsent mails' }).click()
  const row = page.getByRole('listitem').filter({ hasText: gone.email })
  await expect(async () => {
    await page.reload()
    await expect(row).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(row.getByText('550 No such mailbox')).toBeVisible()
  await examine(page, 'the unsent mails')
  await row.getByRole('button', { name: `Try again to mail ${gone.email}` }).click()
  await expect(page.getByText('The mail is in the queue again.')).toBeVisible()
})
