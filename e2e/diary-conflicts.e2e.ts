import { getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { day, edit, save, sheet, write } from './diary.ts'
import { expect, signIn, test } from './test.ts'

test('a person who saves a day that another device has changed sees both texts and chooses [DIARY-47 R22]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  await page.goto(`/diary?day=${day}`)
  await write(page, 'Here')
  await ana.client.does(saveDiaryEntry, { input: { date: day, content: 'There' } })
  await save(page).click()
  const question = page.getByRole('dialog', { name: 'Two versions of this text' })
  await expect(question.getByLabel('Written here')).toHaveValue('Here')
  await expect(question.getByLabel('Saved elsewhere')).toHaveValue('There')
  expect((await ana.client.does(getDiaryEntry, { params: { day } })).content).toBe('There')
  await question.getByRole('button', { name: 'Keep both' }).click()
  await expect(sheet(page)).toHaveValue('There\n\nHere')
  await save(page).click()
  await expect(edit(page)).toBeVisible()
  expect((await ana.client.does(getDiaryEntry, { params: { day } })).content).toBe('There\n\nHere')
})

test('a person who writes one day in two tabs is asked which text to keep, and loses no text of a closed tab [R22]', async ({
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
  const question = page.getByRole('dialog', { name: 'Two versions of this text' })
  await expect(sheet(page).or(question).first()).toBeVisible()
  await expect(sheet(page)).toHaveValue('In the second tab')
  await save(page).click()
  await expect(question.getByLabel('Saved elsewhere')).toHaveValue('In the first tab')
  await question.getByRole('button', { name: 'Use the other version' }).click()
  await expect(sheet(page)).toHaveValue('In the first tab')
})
