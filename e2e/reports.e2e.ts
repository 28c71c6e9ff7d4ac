import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { expect, signIn, test } from './test.ts'

test('a person sees the numbers of the diary in the reports, and goes from a memory to its day [REP-02 REP-03 REP-10 REP-11 REP-12 REP-13 REP-14 REP-15]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  const old = `An old day. ${'It was long. '.repeat(30)}`.trim()
  for (const [date, content] of [
    ['2025-03-01', old],
    ['2025-06-18', 'Three short words.'],
    ['2025-06-19', 'Two words.'],
    ['2025-06-20', 'One.'],
  ] as const) {
    await ana.client.does(saveDiaryEntry, { input: { date, content } })
  }
  await page.clock.setFixedTime('2025-06-20T10:00:00Z')
  await signIn(page, ana)
  await page.goto('/reports')
  await expect(page.locator('dl dd')).toHaveText(['4', '99', '3 days', '10%'])
  const memory = page.getByRole('region', { name: 'Memory Treasure' })
  const recent = page.getByRole('region', { name: 'Recent Writing Activity' })
  await expect(recent.getByRole('listitem')).toHaveCount(4)
  await expect(recent.getByRole('link').first()).toHaveText('Friday, June 20, 2025')
  await expect(memory.getByText(old)).toBeHidden()
  await memory.getByRole('button', { name: 'Another memory' }).click()
  await memory.getByRole('link', { name: 'Saturday, March 1, 2025' }).click()
  await expect(page).toHaveURL(/\/diary\?day=2025-03-01$/)
  await expect(page.getByRole('textbox', { name: 'Entry of Saturday, March 1, 2025' })).toHaveValue(old)
})
