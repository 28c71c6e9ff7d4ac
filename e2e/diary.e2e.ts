import { getDiary, getDiaryEntry } from '#contract/diary/endpoints.ts'
import { day, edit, save, sheet, write } from './diary.ts'
import { expect, signIn, test } from './test.ts'

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

test('a person who types on after Ctrl+S, where the caret was, loses no letter [DIARY-09 DIARY-12]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.goto(`/diary?day=${day}`)
  await write(page, 'Saved text.')
  for (const [typed, all] of [
    ['then it rained', 'Saved text.then it rained'],
    [' and [n] g f', 'Saved text.then it rained and [n] g f'],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+s')
    await expect(edit(page)).toBeFocused()
    await page.keyboard.type(typed)
    await expect(sheet(page)).toHaveValue(all)
  }
  for (const [key, all] of [
    ['Enter', 'Saved text.then it rained and [n] g f\n'],
    ['Backspace', 'Saved text.then it rained and [n] g f'],
  ] as const) {
    await page.keyboard.press('ControlOrMeta+s')
    await expect(edit(page)).toBeFocused()
    await page.keyboard.press(key)
    await expect(sheet(page)).toHaveValue(all)
    await expect(sheet(page)).toBeFocused()
  }
  await page.keyboard.press('ControlOrMeta+s')
  await expect(edit(page)).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(save(page)).toBeVisible()
  await expect(sheet(page)).toHaveValue('Saved text.then it rained and [n] g f')
})

test('a person finds unsaved text again after another day, a reload and a crash of the page [DIARY-14 DIARY-15 R22]', async ({
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
