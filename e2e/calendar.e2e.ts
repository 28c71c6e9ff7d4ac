import { getCalendar } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { asGuest, expect, signIn, test } from './test.ts'

test('a person selects a day, writes a note, sees the diary entry of that day, and clears the note [CAL-01 CAL-02 CAL-04 CAL-05 CAL-06 CAL-07 CAL-08 CAL-09 CAL-10 CAL-11 CAL-12 CAL-13 CAL-16 CAL-22]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  const content = 'It rained until noon, and then the whole street came out.'
  await page.clock.setFixedTime('2025-06-20T10:00:00Z')
  await ana.client.does(saveDiaryEntry, { input: { date: '2025-06-10', content } })
  await signIn(page, ana)
  await page.goto('/calendar')
  const prompt = page.getByText('Select a day to add notes and view diary entries', { exact: true })
  await expect(prompt).toBeVisible()
  const day = page.getByRole('button', { name: /June 10, 2025/ })
  await expect(day).toHaveAccessibleName(/has a diary entry$/)
  await day.click()
  const editor = page.getByRole('region', { name: 'Daily Notes' })
  const note = editor.getByRole('textbox', { name: 'Note' })
  const save = editor.getByRole('button', { name: 'Save' })
  await expect(editor.getByText('Has Diary Entry', { exact: true })).toBeVisible()
  await expect(editor.getByText('Has Notes', { exact: true })).toBeHidden()
  await expect(editor.getByText(content)).toBeHidden()
  await expect(editor.getByText(content.slice(0, 45))).toBeVisible()

  await expect(save).toBeDisabled()
  await note.fill('  ')
  await expect(save).toBeDisabled()
  await note.fill('Buy a lamp.')
  await save.click()
  await expect(editor.getByText('Has Notes', { exact: true })).toBeVisible()
  await expect(editor.getByText(/^Saved \d\d:\d\d$/)).toBeVisible()
  expect(await ana.client.does(getCalendar)).toMatchObject([
    { note_date: '2025-06-10', content: 'Buy a lamp.' },
  ])

  await page.getByRole('button', { name: 'Next month' }).click()
  await expect(page.getByRole('heading', { name: 'July 2025' })).toBeVisible()
  await expect(prompt).toBeVisible()
  await page.getByRole('button', { name: 'Previous month' }).click()
  await expect(prompt).toBeVisible()
  await expect(day).toHaveAccessibleName(/has a note, has a diary entry$/)
  await day.click()
  await expect(note).toHaveValue('Buy a lamp.')

  await editor.getByRole('button', { name: 'Clear' }).click()
  await expect(editor.getByText('Has Notes', { exact: true })).toBeHidden()
  await expect(note).toHaveValue('')
  await expect.poll(async () => (await ana.client.does(getCalendar)).map((row) => row.content)).toEqual([''])

  await editor.getByRole('link', { name: 'View full entry in the Diary tab' }).click()
  await expect(page).toHaveURL(/\/diary\?day=2025-06-10$/)
  await expect(page.getByRole('textbox', { name: 'Entry of Tuesday, June 10, 2025' })).toHaveValue(content)
})

test('a guest saves a note, which is kept in the browser only, and finds the days of a month below the left edge of the heading on a phone, a tablet and a desktop [CAL-17]', async ({
  page,
}) => {
  await asGuest(page)
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.clock.setFixedTime('2025-06-20T10:00:00Z')
  await page.goto('/calendar')
  const day = page.getByRole('button', { name: /June 10, 2025/ })
  await day.click()
  await page.getByRole('textbox', { name: 'Note' }).fill('As a guest')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Has Notes', { exact: true })).toBeVisible()
  await page.reload()
  await day.click()
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('As a guest')
  expect(calls.filter((call) => call.startsWith('/api/calendar'))).toEqual([])

  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    const heading = (await page.getByRole('heading', { level: 1 }).boundingBox())!
    const lefts = await page
      .getByRole('table')
      .getByRole('button')
      .evaluateAll((days) => days.map((each) => each.getBoundingClientRect().left))
    expect(Math.min(...lefts), `${width} px`).toBeCloseTo(heading.x, 1)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0)
  }
})
