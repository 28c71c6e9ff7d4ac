import { submitPost } from '#contract/feed/endpoints.ts'
import { day, save, sheet, write } from './diary.ts'
import { examine } from './examine.ts'
import { expect, shareSession, signIn, test } from './test.ts'

test('an admin suspends a person on two devices: one is signed out at once, the other keeps what was being written; the person reads why, and after the lift the text is still there [INST-04 R22]', async ({
  page: desk,
  open,
  app,
  forgive,
}) => {
  // The page whose session ends asks for its person, and the suspended person signs in.
  forgive(/Failed to fetch user|Failed to save the diary entry|Login failed|status of 40[13]/)
  const email = 'writer.suspended@example.org'
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Ode', email })
  const { id } = await ben.client.does(submitPost, {
    input: { content: 'A heron', authorName: 'Ben Ode', type: 'premium' },
  })
  const phone = { width: 390, height: 844 }
  const tab = await open({ viewport: phone })
  await signIn(tab, ben)
  await tab.goto(`${app.url}/diary?day=${day}`)
  await write(tab, 'A thought that nobody has seen')
  await expect(tab.getByText('Safe on this device')).toBeVisible()

  const reading = await open()
  await signIn(reading, ben)
  await reading.goto(`${app.url}/dashboard`)

  const wide = { width: 1440, height: 900 }
  await desk.setViewportSize(wide)
  await shareSession(desk, app.admin)
  await desk.goto('/admin-users')
  await desk.getByRole('searchbox', { name: 'Search users' }).fill(email)
  const suspend = desk.getByRole('button', { name: 'Suspend Ben Ode' })
  // Other tests have people of this name, whom the search leaves out a moment after it was typed.
  await expect(suspend).toHaveCount(1)
  await suspend.click()
  const dialog = desk.getByRole('dialog', { name: 'Suspend Ben Ode' })
  await dialog.getByLabel(/^Reason/).fill('You insulted a neighbour.')
  await dialog.getByRole('checkbox', { name: 'Hide what the person has published' }).check()
  await examine(desk, 'the dialog that suspends a person')
  await desk.setViewportSize(wide)
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click()
  await expect(desk.getByText('Ben Ode is suspended.')).toBeVisible()
  await expect(desk.getByText(/^Suspended until .* · Texts are hidden$/)).toBeVisible()
  await examine(desk, 'the card of a suspended person')
  await desk.setViewportSize(wide)
  expect((await desk.request.get(`/posts/${id}`)).status()).toBe(404)

  await expect
    .poll(async () => (await tab.request.get(`${app.url}/api/me`)).status(), { timeout: 2000 })
    .toBe(401)
  await expect(reading.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible({
    timeout: 5000,
  })
  // A browser that alone has a text keeps its pages as they are, until the next call.
  await save(tab).click()
  await expect(tab.getByText('Please log in to save diary entries', { exact: true })).toBeVisible()
  await tab.getByRole('button', { name: 'OK' }).click()
  await expect(sheet(tab)).toHaveValue('A thought that nobody has seen')
  await tab.goto(`${app.url}/?onboarding=true`)
  const form = tab.getByRole('form', { name: 'Sign in' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Passcode').fill(ben.password)
  await form.getByRole('button', { name: 'Sign In' }).click()
  await expect(form.getByRole('alert')).toContainText('Your account is suspended until')
  await expect(form.getByRole('alert')).toContainText('You insulted a neighbour.')
  await examine(tab, 'the sign-in of a suspended person')
  await tab.setViewportSize(phone)

  await desk.getByRole('button', { name: 'Suspension of Ben Ode' }).click()
  await desk.getByRole('button', { name: 'Lift the suspension' }).click()
  await expect(desk.getByText('The suspension of Ben Ode is lifted.')).toBeVisible()
  expect((await desk.request.get(`/posts/${id}`)).status()).toBe(200)
  await signIn(tab, ben)
  await tab.goto(`${app.url}/diary?day=${day}`)
  await expect(sheet(tab)).toHaveValue('A thought that nobody has seen')
})
