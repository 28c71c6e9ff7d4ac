import { day, edit, save, sheet, write } from './diary.ts'
import { expect, signIn, test } from './test.ts'

test('a person who writes one day in two tabs is asked which text to keep, and loses no text of a closed tab [DIARY-47 R22]', async ({
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
