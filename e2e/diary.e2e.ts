import type { Page } from '@playwright/test'
import { login, logout } from '#contract/account/endpoints.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { asGuest, expect, signIn, test } from './test.ts'

const day = '2025-06-10'
const sheet = (page: Page) => page.getByRole('textbox', { name: 'Entry of Tuesday, June 10, 2025' })
const save = (page: Page) => page.getByRole('button', { name: 'Save Entry' })
const edit = (page: Page) => page.getByRole('button', { name: 'Edit Entry' })

async function write(page: Page, text: string) {
  await expect(sheet(page)).toBeEditable()
  await sheet(page).fill(text)
  await expect(page.getByText('Safe on this device')).toBeVisible()
}

test('a person writes a day, saves it, edits it, and finds it again [DIARY-01 DIARY-03 DIARY-05 DIARY-06 DIARY-07 DIARY-08 DIARY-09 DIARY-11 DIARY-12 DIARY-13 DIARY-22]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  await page.goto(`/diary?day=${day}`)
  await expect(page.getByRole('heading', { name: 'My Diary', level: 1 })).toBeVisible()
  await expect(sheet(page)).toHaveAttribute('placeholder', 'Write...')
  await write(page, 'Rain all day.\n\nI read.')
  await save(page).click()
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  await expect(sheet(page)).not.toBeEditable()
  const saves: string[] = []
  page.on('request', (request) => request.method() === 'POST' && saves.push(request.url()))
  await edit(page).click()
  await expect(sheet(page)).toBeFocused()
  await expect(sheet(page)).toBeEditable()
  expect(saves).toEqual([])
  await sheet(page).press('ControlOrMeta+End')
  await sheet(page).pressSequentially(' And wrote.')
  await sheet(page).press('ControlOrMeta+s')
  await expect(edit(page)).toBeVisible()
  expect(await ana.client.does(getDiary)).toMatchObject([
    { entry_date: day, content: 'Rain all day.\n\nI read. And wrote.' },
  ])
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(page.getByRole('heading', { name: 'Wednesday, June 11, 2025' })).toBeVisible()
  await page.getByRole('button', { name: 'Previous day' }).click()
  await expect(sheet(page)).toHaveValue('Rain all day.\n\nI read. And wrote.')
})

test('what was not saved stands there again after another day, a reload and a crash of the page [DIARY-14 DIARY-15 R22]', async ({
  page,
  app,
  context,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  await page.goto(`/diary?day=${day}`)
  await write(page, 'Half a thought')
  await page.getByRole('button', { name: 'Next day' }).click()
  await page.getByRole('button', { name: 'Previous day' }).click()
  await expect(sheet(page)).toHaveValue('Half a thought')
  await page.reload()
  await expect(sheet(page)).toHaveValue('Half a thought')
  await write(page, 'Half a thought, and the other half')
  const session = await context.newCDPSession(page)
  session.send('Page.crash').catch(() => {})
  await page.waitForEvent('crash')
  const next = await context.newPage()
  await next.goto(`/diary?day=${day}`)
  await expect(sheet(next)).toHaveValue('Half a thought, and the other half')
  await save(next).click()
  await expect(edit(next)).toBeVisible()
  const stored = await ana.client.does(getDiaryEntry, { params: { day } })
  expect(stored.content).toBe('Half a thought, and the other half')
})

test('a session that has ended is told, the text stays, and the same person goes on with it [DIARY-20 DIARY-24 DIARY-25 R22]', async ({
  page,
  app,
  forgive,
}) => {
  forgive(/Failed to save the diary entry/)
  const ana = await app.signUp()
  await signIn(page, ana)
  await page.goto(`/diary?day=${day}`)
  await write(page, 'Written too long')
  await page.request.post(logout.path)
  await save(page).click()
  await expect(page.getByText('Please log in to save diary entries', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(sheet(page)).toHaveValue('Written too long')
  await signIn(page, ana)
  await page.goto(`/diary?day=${day}`)
  await expect(sheet(page)).toHaveValue('Written too long')
  await save(page).click()
  await expect(edit(page)).toBeVisible()
})

test('a day that was saved on another device is asked about, and both texts are shown [DIARY-47 R22]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  await page.goto(`/diary?day=${day}`)
  await write(page, 'Here')
  await ana.client.does(saveDiaryEntry, { input: { date: day, content: 'There' } })
  await save(page).click()
  const question = page.getByRole('dialog', { name: 'Two texts for one place' })
  await expect(question.getByLabel('Written here')).toHaveValue('Here')
  await expect(question.getByLabel('Saved elsewhere')).toHaveValue('There')
  expect((await ana.client.does(getDiaryEntry, { params: { day } })).content).toBe('There')
  await question.getByRole('button', { name: 'Keep both' }).click()
  await expect(sheet(page)).toHaveValue('There\n\nHere')
  await save(page).click()
  await expect(edit(page)).toBeVisible()
  expect((await ana.client.does(getDiaryEntry, { params: { day } })).content).toBe('There\n\nHere')
})

test('two tabs on one day end in a question, and a closed tab leaves its text to the other [R22]', async ({
  page,
  app,
  context,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto(`/diary?day=${day}`)
  await write(page, 'In the first tab')
  await write(other, 'In the second tab')
  await save(page).click()
  await expect(edit(page)).toBeVisible()
  await other.close()
  await edit(page).click()
  await page.reload()
  const question = page.getByRole('dialog', { name: 'Two texts for one place' })
  await expect(sheet(page).or(question).first()).toBeVisible()
  await expect(sheet(page)).toHaveValue('In the second tab')
  await save(page).click()
  await expect(question.getByLabel('Saved elsewhere')).toHaveValue('In the first tab')
  await question.getByRole('button', { name: 'Take the other one' }).click()
  await expect(sheet(page)).toHaveValue('In the first tab')
})

test('a guest writes in the browser, and takes the days along into an account [DIARY-23 DIARY-25]', async ({
  page,
  app,
}) => {
  await asGuest(page)
  const calls: string[] = []
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.goto(`/diary?day=${day}`)
  await write(page, 'As a guest')
  await save(page).click()
  await expect(edit(page)).toBeVisible()
  expect(calls.filter((call) => call.includes('/api/diary'))).toEqual([])
  await page.reload()
  await expect(sheet(page)).toHaveValue('As a guest')
  await page.goto('/diary?view=paper')
  await expect(page.getByRole('heading', { name: 'Tuesday, June 10th, 2025' })).toBeVisible()

  await page.getByRole('button', { name: 'Sign Up' }).click()
  await signUpByForm(page, 'ben.guest@example.org')
  const ben = app.visitor()
  await ben.does(login, { input: { email: 'ben.guest@example.org', password: 'secret1' } })
  await page.goto(`/diary?day=${day}`)
  const offer = page.getByRole('region', { name: 'Days of the guest' })
  await expect(offer).toContainText(
    'You wrote on 1 day on this device before you signed up. They are only here.',
  )
  await expect(sheet(page)).toHaveValue('')
  expect(await ben.does(getDiary)).toEqual([])

  await ben.does(saveDiaryEntry, { input: { date: day, content: 'In the account' } })
  await offer.getByRole('button', { name: 'Save to my account' }).click()
  const question = page.getByRole('dialog', { name: 'Two texts for one place' })
  await expect(question.getByLabel('Written here')).toHaveValue('As a guest')
  await expect(question.getByLabel('Saved elsewhere')).toHaveValue('In the account')
  expect(await ben.does(getDiary)).toMatchObject([{ content: 'In the account' }])
  await page.keyboard.press('Escape')
  await expect(offer).toBeVisible()
  await offer.getByRole('button', { name: 'Save to my account' }).click()
  await question.getByRole('button', { name: 'Keep both' }).click()
  await expect(offer).toBeHidden()
  expect(await ben.does(getDiary)).toMatchObject([{ content: 'In the account\n\nAs a guest' }])
  await expect(sheet(page)).toHaveValue('In the account\n\nAs a guest')
  await page.reload()
  await expect(sheet(page)).toHaveValue('In the account\n\nAs a guest')
  await expect(offer).toBeHidden()
})

/** From a guest's session through the pages of the entry, into the dashboard. */
async function signUpByForm(page: Page, email: string) {
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await page.getByLabel('Name').fill('Ben Winter')
  await page.getByLabel('Email').fill(email)
  await next.click()
  await page.getByLabel('Passcode').fill('secret1')
  await next.click()
  await page.getByRole('textbox').fill('I write at the kitchen table, at night.')
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page).toHaveURL(/\/dashboard$/, { timeout: 20_000 })
}

test('on paper the text sits on its rules, at any size [DIARY-26 DIARY-27 DIARY-28]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  for (const [date, content] of [
    ['2025-06-11', 'Short.'],
    ['2025-06-10', 'A long line of a day that goes on and on. '.repeat(800)],
  ] as const) {
    await ana.client.does(saveDiaryEntry, { input: { date, content } })
  }
  await signIn(page, ana)
  await page.goto('/diary?view=paper')
  const dates = page.locator('.paper-entry h2')
  await expect(dates).toHaveText(['Tuesday, June 10th, 2025', 'Wednesday, June 11th, 2025'])
  for (const size of ['80%', '100%', '110%', '133%', '200%']) {
    await page.evaluate((fontSize) => void (document.documentElement.style.fontSize = fontSize), size)
    const offsets = await page.locator('.paper-entry').first().evaluate(offsetsOfLines)
    expect(offsets.length).toBeGreaterThan(200)
    expect(Math.max(...offsets)).toBeLessThan(1)
  }
  await page.emulateMedia({ media: 'print' })
  await expect(dates.first()).toBeVisible()
  for (const part of [page.getByRole('banner'), page.getByRole('region', { name: 'Account' })])
    await expect(part).toBeHidden()
})

test('a sheet of paper is as wide with one word on it as with many [DIARY-26]', async ({ page, app }) => {
  const ana = await app.signUp()
  await ana.client.does(saveDiaryEntry, { input: { date: '2025-06-11', content: 'Rain.' } })
  await signIn(page, ana)
  for (const [width, least] of [
    [390, 320],
    [1440, 600],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/diary?view=paper')
    await expect(page.getByText('Rain.')).toBeVisible()
    expect((await page.locator('.paper').boundingBox())?.width).toBeGreaterThan(least)
  }
})

/** How far each line of an entry stands off its rule, in pixels. */
function offsetsOfLines(entry: Element): number[] {
  const paragraph = entry.querySelector('p')!
  const rule = Number.parseFloat(getComputedStyle(paragraph).lineHeight)
  const range = document.createRange()
  range.selectNodeContents(paragraph)
  const top = entry.getBoundingClientRect().top
  const middles = new Set(
    Array.from(range.getClientRects(), ({ top: from, bottom }) => (from + bottom) / 2 - top),
  )
  return Array.from(middles, (middle) => {
    const end = middle + rule / 2
    return Math.abs(end - Math.round(end / rule) * rule)
  })
}
