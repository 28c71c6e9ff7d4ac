import { endOtherSessions } from '#contract/account/sessions/endpoints.ts'
import { getDiaryEntry } from '#contract/diary/endpoints.ts'
import { day, save, sheet } from './diary.ts'
import { makeWriter, none, oneOfEach } from './five-texts.ts'
import { expect, signIn, test } from './test.ts'

test.beforeEach(({ forgive }) => forgive(/401|^Failed to|ERR_|TypeError/))

test('a person whose session ends in the middle of typing keeps five texts, and saves each once after the sign-in [DIARY-25 OWN-20 R22]', async ({
  app,
  context,
  page,
}) => {
  const { ana, stored, openTabs } = await makeWriter(app)
  await signIn(page, ana)
  const { diary, note, draft, message, passage } = await openTabs(context)
  const all = [diary, note, draft, message, passage]
  for (const tab of all) await tab.type('Rain')
  await ana.client.does(endOtherSessions)
  for (const tab of all) {
    await tab.type(' and wind')
    await tab.send()
  }
  for (const [{ page }, sentence] of [
    [diary, 'Please log in to save diary entries'],
    [note, 'Please log in to save calendar notes'],
  ] as const) {
    await expect(page.getByRole('alertdialog')).toContainText(sentence)
    await page.getByRole('button', { name: 'OK' }).click()
  }
  for (const { page } of [diary, note, draft]) {
    const state = page.getByText('Not saved. Log in and try again; your text is kept here.')
    await expect(state).toBeVisible()
    const sizes = [state, page.getByRole('button', { name: 'Sign in again' })].map((each) =>
      each.evaluate((element) => getComputedStyle(element).fontSize),
    )
    expect(await sizes[1]).toBe(await sizes[0])
  }
  await passage.page.getByRole('button', { name: 'OK' }).click()
  for (const { page } of [message, passage])
    await expect(page.getByText(/^Please sign in\. Your .* is still here\.$/)).toBeVisible()
  for (const tab of all) await expect(tab.field).toHaveValue('Rain and wind')

  await signIn(page, ana)
  await page.goto('/dashboard')
  await expect(page.locator('div:has(~ #main) output')).toBeAttached()
  // A draft of a post is saved while it is written, also without being asked.
  expect({ ...(await stored()), draft: [] }).toEqual(none)
  for (const tab of all) await tab.send()
  await expect.poll(stored).toEqual(oneOfEach('Rain and wind'))
  for (const { page } of all) await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a person whose session ends while a text waits for the network signs in again in the list of what waits, and the text is sent once [OWN-03 OWN-20]', async ({
  app,
  context,
  page,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  await page.goto(`/diary?day=${day}`)
  await expect(sheet(page)).toBeEditable()
  await expect(page.locator('div:has(~ #main) output')).toBeAttached()
  await context.setOffline(true)
  await sheet(page).fill('Rain')
  await save(page).click()
  await expect(page.getByText('Safe on this device, will be sent')).toBeVisible()
  await ana.client.does(endOtherSessions)
  const refused = page.waitForResponse((answer) => answer.status() === 401)
  await context.setOffline(false)
  await refused
  await page.getByRole('button', { name: '1 day waits on this device.' }).click()
  const list = page.getByRole('dialog', { name: 'On this device' })
  await expect(list).toContainText('Sign in again, and these texts are sent.')
  await list.getByRole('button', { name: 'Sign in again' }).click()
  const question = page.getByRole('dialog', { name: 'Please sign in again' })
  await question.getByLabel('Passcode').fill(ana.password)
  await question.getByRole('button', { name: 'Continue' }).click()
  await expect(list).toContainText('Everything is sent.')
  expect(await ana.client.does(getDiaryEntry, { params: { day } })).toMatchObject({ content: 'Rain' })
})
