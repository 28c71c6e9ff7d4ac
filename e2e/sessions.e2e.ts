import { examine } from './examine.ts'
import { expect, signIn, test } from './test.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test('a person ends the session of a phone, whose open page is signed out at once, and then all others from the phone [INST-10 S23]', async ({
  page: desk,
  open,
  app,
  forgive,
}) => {
  // The pages whose session ends ask for their person.
  forgive(/Failed to fetch user|401/)
  const ana = await app.signUp()
  const handset = await open(phone)
  await signIn(desk, ana)
  await signIn(handset, ana)
  await handset.goto(`${app.url}/dashboard`)
  await desk.setViewportSize({ width: 1440, height: 900 })
  await desk.goto('/settings#part-signed-in-on')
  const part = desk.getByRole('region', { name: 'Signed in on' })
  // The client of the test has opened the third session.
  await expect(part.getByRole('listitem')).toHaveCount(3)
  await expect(part.getByRole('listitem').filter({ hasText: 'This device' })).toContainText('Chrome on')
  await examine(desk, 'the sessions of a person', part)

  await part
    .getByRole('listitem')
    .filter({ hasNotText: 'This device' })
    .filter({ hasText: 'Chrome on' })
    .getByRole('button', { name: /^End/ })
    .click()
  await expect(desk.getByText(/is signed out\.$/)).toBeVisible()
  const status = async () => (await handset.request.get(`${app.url}/api/me`)).status()
  expect(await status()).toBe(401)
  await expect(part.getByRole('listitem')).toHaveCount(2)
  await expect(handset.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible({
    timeout: 5000,
  })

  await signIn(handset, ana)
  await handset.goto(`${app.url}/settings#part-signed-in-on`)
  await handset.getByRole('button', { name: 'End all others' }).click()
  await handset.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click()
  await expect(handset.getByText('All other devices are signed out.')).toBeVisible()
  const only = handset.getByRole('region', { name: 'Signed in on' })
  await expect(only.getByRole('listitem')).toHaveCount(1)
  await expect(desk.getByRole('heading', { name: 'About us' })).toBeVisible()
  await examine(handset, 'the only session of a person', only)
})
