import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { endOtherSessions } from '#contract/account/sessions/endpoints.ts'
import { getDiaryEntry } from '#contract/diary/endpoints.ts'
import { openidClient, openProvider } from '#server/testing/openid-provider.ts'
import { day, edit, save, sheet, write } from './diary.ts'
import { examine } from './examine.ts'
import { test as base, expect, signIn } from './test.ts'

type Provider = Awaited<ReturnType<typeof openProvider>>

/** An app whose people sign in by a provider of the test too. The provider has to know the address of the app before. */
const test = base.extend<object, { place: { port: number; provider: Provider } }>({
  processes: [1, { scope: 'worker' }],
  place: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
    async ({}, run) => {
      const port = await freePort()
      const provider = await openProvider({ origin: `http://localhost:${port}` })
      await run({ port, provider })
      await provider.close()
    },
    { scope: 'worker' },
  ],
  settings: [
    async ({ place: { port, provider } }, run) =>
      run({
        PORT: String(port),
        PUBLIC_ORIGIN: `http://localhost:${port}`,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: openidClient.id,
        OIDC_CLIENT_SECRET: openidClient.secret,
        OIDC_NAME: 'The Library',
      }),
    { scope: 'worker' },
  ],
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function signInThere(page: Page, login: string) {
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}
const enterBy = (page: Page) => page.getByRole('button', { name: 'Continue with The Library' })
const feed = (page: Page) => page.getByRole('heading', { level: 1, name: 'Feed' })

test.beforeEach(async ({ context, forgive }) => {
  // The page of the provider wants a font of another site.
  await context.route('https://fonts.googleapis.com/**', (route) => route.abort())
  forgive(/Failed to load resource/)
})

test('a person signs up by the provider, logs out, signs in by it, unlinks the account and links it again [INST-08]', async ({
  page,
  place: { provider },
}) => {
  provider.people.set('nia', { email: 'nia@example.org', email_verified: true, name: 'Nia New' })
  await page.goto('/?onboarding=true')
  await expect(enterBy(page)).toBeVisible()
  await examine(page, 'the first page with a provider')
  await enterBy(page).click()
  await signInThere(page, 'nia')
  await expect(page.getByRole('heading', { level: 1, name: 'Make your account' })).toBeFocused()
  expect(new URL(page.url()).search).toBe('')
  await examine(page, 'the page that makes an account')
  await expect(page.getByLabel('Name')).toHaveValue('Nia New')
  await page.getByLabel('Passcode').fill('lamps and ink 9')
  await page.getByRole('button', { name: 'Make the account' }).click()
  await expect(feed(page)).toBeVisible()
  const { id } = (await (await page.request.get('/api/me')).json()) as { id: string }

  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(enterBy(page)).toBeVisible()
  await enterBy(page).click()
  await expect(feed(page)).toBeVisible()
  expect(await (await page.request.get('/api/me')).json()).toMatchObject({ id, email: 'nia@example.org' })

  await page.goto('/settings#part-sign-in')
  const own = page.getByRole('region', { name: 'Sign-in', exact: true })
  await own.getByRole('button', { name: 'Unlink' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
  await own.getByRole('button', { name: 'Link with The Library' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your account is linked' })).toBeFocused()
  await examine(page, 'the page after a link')
  await page.getByRole('link', { name: 'To the settings' }).click()
  await expect(own.getByText(/Your account has been linked with The Library since/)).toBeVisible()
})

test('a person links an account that is there already and signs in by the provider in another browser; when the session ends while they write, they sign in again by it and find the page and the text [INST-08 OWN-20 R22]', async ({
  page,
  app,
  open,
  forgive,
  place: { provider },
}) => {
  forgive(/^Failed to (save the diary entry|fetch user)/)
  provider.people.set('cleo there', { email: 'cleo@elsewhere.example', email_verified: false })
  const cleo = await app.signUp({ firstName: 'Cleo', email: 'cleo@example.org' })
  await signIn(page, cleo)
  await page.goto('/settings#part-sign-in')
  await page.getByRole('button', { name: 'Link with The Library' }).click()
  await signInThere(page, 'cleo there')
  await expect(page.getByRole('heading', { level: 1, name: 'Your account is linked' })).toBeVisible()

  const other = await open()
  await other.context().route('https://fonts.googleapis.com/**', (route) => route.abort())
  await other.goto(`${app.url}/?onboarding=true`)
  await enterBy(other).click()
  await signInThere(other, 'cleo there')
  await expect(feed(other)).toBeVisible()
  expect(await (await other.request.get(`${app.url}/api/me`)).json()).toMatchObject({ id: cleo.user.id })
  await other.context().close()

  await page.goto(`/diary?day=${day}`)
  await write(page, 'Rain')
  await cleo.client.does(endOtherSessions)
  await save(page).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await expect(enterBy(page)).toBeVisible()
  await examine(page, 'the sign-in beside a text')
  await enterBy(page).click()
  await expect(page).toHaveURL(`/diary?day=${day}`)
  await expect(sheet(page)).toHaveValue('Rain')
  await save(page).click()
  await expect(edit(page)).toBeVisible()
  expect(await cleo.client.does(getDiaryEntry, { params: { day } })).toMatchObject({
    content: 'Rain',
  })
})

test('a person who cancels at the provider, or comes by a link of somebody else, is not signed in and reads why [INST-08]', async ({
  page,
  forgive,
}) => {
  forgive(/Login failed/)
  await page.goto('/?onboarding=true')
  await enterBy(page).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  const refused = page.getByRole('heading', { level: 1, name: 'You are not signed in' })
  await expect(refused).toBeFocused()
  await expect(page.getByText('The other site did not sign you in. Nothing was changed.')).toBeVisible()
  await examine(page, 'the page after a refusal')
  await page.goto('/openid?code=of-somebody-else&state=forged')
  await expect(page.getByText(/This sign-in has ended/)).toBeVisible()
  await page.getByRole('button', { name: 'To the sign-in' }).click()
  await expect(enterBy(page)).toBeVisible()
  expect((await page.request.get('/api/me')).status()).toBe(401)
})
