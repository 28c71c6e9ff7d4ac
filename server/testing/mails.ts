import { login } from '#contract/account/endpoints.ts'
import { confirmEmail } from '#contract/mails/endpoints.ts'
import { parseRelay } from '#server/platform/mail/relay.ts'
import { type ReceivedMail, textsOf } from '#server/testing/smtp-server.ts'
import { startRelay } from '#server/testing/smtp.ts'
import { startTestApp } from '#server/testing/test-app.ts'

type AppOptions = NonNullable<Parameters<typeof startTestApp>[0]>

/** The settings of an instance that sends its mails to this relay. */
export const mailConfig = (relayUrl: string) => ({
  relay: parseRelay(relayUrl),
  mailFrom: 'desk@zimmer.example',
  publicOrigin: 'https://zimmer.example',
  companyName: 'The Lamp House',
})

/** An app that sends mails to a real server of the test, and Ana, who has just signed up. */
export async function startWithMail(
  relayOptions: Parameters<typeof startRelay>[0] = {},
  { config, ...options }: AppOptions = {},
) {
  const relay = await startRelay(relayOptions)
  const settings = { limitsRates: false, ...mailConfig(relay.url), ...config }
  const t = await startTestApp({ ...options, config: settings })
  const email = 'ana@example.org'
  const password = 'forgotten pass'
  const ana = await t.person({ email, password })
  return {
    ...t,
    relay,
    ana,
    email,
    password,
    /** Confirms the address of Ana by the link of the mail. */
    async confirm() {
      const token = tokenIn(await relay.mailTo(email, 'Confirm'))
      await t.visitor().does(confirmEmail, { input: { token } })
    },
    signsIn: async (tried: string) =>
      (await t.visitor().tries(login, { input: { email, password: tried } })).status === 200,
  }
}

/** The token of the link of a mail. */
export function tokenIn(mail: ReceivedMail): string {
  const [, token] = /https:\/\/zimmer\.example\/\w+#([\w-]{43})\s/.exec(textsOf(mail).text) ?? []
  if (token === undefined) throw new Error('The mail has no link.')
  return token
}
