import { onTestFinished } from 'vitest'
import { finishOpenidAttempt, registerByOpenid, startOpenidSignIn } from '#contract/openid/endpoints.ts'
import { changeInstanceSettings } from '#contract/instance/endpoints.ts'
import { openidClient, openProvider } from './openid-provider.ts'
import { type Client, startTestApp } from './test-app.ts'

type AppOptions = NonNullable<Parameters<typeof startTestApp>[0]>

export const origin = 'https://zimmer.example'
export const nia = { email: 'nia@example.org', email_verified: true, name: 'Nia New' }
export const passcode = 'own passcode'

export const openidConfig = (issuer: string) => ({
  openidIssuer: issuer,
  openidClientId: openidClient.id,
  openidClientSecret: openidClient.secret,
  openidName: 'The Library',
  publicOrigin: origin,
})

export async function startProvider(options: Partial<Parameters<typeof openProvider>[0]> = {}) {
  const provider = await openProvider({ origin, ...options })
  onTestFinished(() => provider.close())
  provider.people.set('nia', nia)
  return provider
}

/** An app with a real provider, at which Nia has an account. */
export async function startWithProvider(
  options: Parameters<typeof startProvider>[0] = {},
  { config, ...appOptions }: AppOptions = {},
) {
  const provider = await startProvider(options)
  const settings = { limitsRates: false, ...openidConfig(provider.issuer), ...config }
  const t = await startTestApp({ ...appOptions, config: settings })
  const start = async (client: Client) => (await client.does(startOpenidSignIn)).address
  const finish = (client: Client, answer: string) => client.tries(finishOpenidAttempt, { input: { answer } })
  /** A sign-in from the button to the answer. */
  const signIn = async (client: Client = t.visitor(), login = 'nia') =>
    finish(client, await provider.visit(await start(client), login))
  const register = (client: Client, more: object = {}) =>
    client.tries(registerByOpenid, { input: { name: 'Nia New', passcode, ...more } })
  return {
    ...t,
    provider,
    start,
    finish,
    signIn,
    register,
    /** Nia with an account that she has made by the provider. */
    async joined(login = 'nia') {
      const client = t.visitor()
      await signIn(client, login)
      client.user = await client.does(registerByOpenid, { input: { name: 'Nia New', passcode } })
      return client
    },
    async set(changed: object) {
      const boss = await t.admin()
      await boss.does(changeInstanceSettings, { input: { base: null, ...changed } })
      return boss
    },
  }
}
