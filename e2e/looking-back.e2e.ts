import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { type App, expect, type Person, signIn, test } from './test.ts'

// The diary is encrypted on the server.
test.use({ settings: { DIARY_KEY: 'a'.repeat(64) } })

const widths = [
  [390, 800],
  [1440, 900],
] as const

async function writerOfYears(app: App): Promise<Person> {
  const ana = await app.signUp()
  const long = 'It rained until noon, and then the whole street came out. '.repeat(60)
  for (const [date, content] of [
    ['2016-06-10', `${long}At night the lamp was lit.`],
    ['2023-06-10', 'Nothing but rain.'],
    ['2024-06-10', 'A year ago'],
    ['2024-06-11', 'Ein Gruß vom Café, שלום'],
  ] as const)
    await ana.client.does(saveDiaryEntry, { input: { date, content } })
  await ana.client.does(saveCalendarNote, { input: { date: '2024-06-10', note: 'Buy oil for the lamp' } })
  return ana
}

for (const [width, height] of widths) {
  test(`at ${width} px a writer finds below the day what was written on it in earlier years, opens it, and switches it off [OWN-15]`, async ({
    page,
    app,
  }) => {
    await page.setViewportSize({ width, height })
    await signIn(page, await writerOfYears(app))
    await page.goto('/diary?day=2025-06-10')
    const list = page.getByRole('region', { name: 'On This Day' })
    await expect(list.getByRole('link')).toHaveText([
      /^2024\s*A year ago$/,
      /^2024\s*Note\s*Buy oil for the lamp$/,
      /^2023\s*Nothing but rain\.$/,
      /^2016\s*It rained until noon/,
    ])
    const lines = await list.getByRole('link').evaluateAll((links) => links.map((link) => link.clientHeight))
    expect(new Set(lines).size).toBe(1)
    const sheet = (await page.getByPlaceholder('Write...').boundingBox())!
    expect((await list.boundingBox())!.y).toBeGreaterThan(sheet.y + sheet.height)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

    await list.getByRole('link', { name: /Buy oil/ }).click()
    await expect(page.getByRole('heading', { name: 'June 2024' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Buy oil for the lamp')
    await list.getByRole('link', { name: /Nothing but rain/ }).click()
    await expect(page.getByPlaceholder('Write...')).toHaveValue('Nothing but rain.')

    await page.goto('/settings')
    await page.getByRole('switch', { name: 'Show On This Day' }).click()
    await page.goto('/diary?day=2025-06-10')
    await expect(page.getByPlaceholder('Write...')).toBeEditable()
    await expect(list).toBeHidden()
    await page.goto('/calendar?day=2024-06-10')
    await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Buy oil for the lamp')
    await expect(list).toBeHidden()
  })
}
