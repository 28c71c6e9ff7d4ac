import { resetPassword } from '#contract/password-resets/endpoints.ts'
import { examine } from './examine.ts'
import { expect, shareSession, signIn, test } from './test.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test('an admin makes a link for a person who forgot the passcode; the person sets a new one on a phone and signs in, and reads that an admin made the link [INST-17 S57]', async ({
  page: desk,
  open,
  app,
  forgive,
}) => {
  // The used link is tried again, and the sessions of the person end.
  forgive(/status of 404|Failed to reset the passcode|Failed to fetch user|status of 401/)
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Ode', email: 'ben.forgot@example.org' })
  await desk.setViewportSize({ width: 1440, height: 900 })
  await shareSession(desk, app.admin)
  await desk.goto('/admin-users')
  await desk.getByRole('searchbox', { name: 'Search users' }).fill('ben.forgot')
  const reset = desk.getByRole('button', { name: 'Reset the passcode of Ben Ode' })
  // Other tests have people of this name, whom the search leaves out a moment after it was typed.
  await expect(reset).toHaveCount(1)
  await reset.click()
  await desk.getByRole('button', { name: 'Make a link' }).click()
  const link = await desk.getByLabel('Reset link').inputValue()
  expect(link).toMatch(/\/reset#[\w-]{43}$/)
  await examine(desk, 'a new reset link')

  const handset = await open(phone)
  const asked: string[] = []
  handset.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''))
  await handset.goto(link)
  await expect(handset.getByRole('heading', { name: 'Choose a new passcode' })).toBeVisible()
  await examine(handset, 'the page of a reset link')
  await handset.setViewportSize(phone.viewport)
  await handset.getByLabel('New passcode').fill('remembered1')
  await handset.getByRole('button', { name: 'Set passcode' }).click()
  await expect(handset.getByRole('heading', { name: 'Your new passcode is set' })).toBeFocused()
  const token = link.split('#')[1]!
  expect(asked.filter((address) => address.includes(token))).toEqual([])
  expect(asked.filter((address) => address.endsWith(resetPassword.path))).toHaveLength(1)

  await handset.goto('about:blank')
  await handset.goto(link)
  await handset.getByLabel('New passcode').fill('remembered2')
  await handset.getByRole('button', { name: 'Set passcode' }).click()
  await expect(handset.getByRole('heading', { name: 'This link is no longer good' })).toBeFocused()

  await signIn(handset, { email: ben.email, password: 'remembered1' })
  await handset.goto(`${app.url}/dashboard`)
  await handset.getByRole('button', { name: /^Notifications/ }).click()
  await expect(handset.getByText('An admin made a link to reset your passcode')).toBeVisible()
})
