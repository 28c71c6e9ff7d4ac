import { roomsPath } from '#contract/rooms/paths.ts'
import { sign } from './people.ts'
import { expect, signIn, test } from './test.ts'

test('a person draws an opening, sets a goal in words, and sees both on the page of the room [BEGIN-01 BEGIN-02]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.goto(roomsPath)
  await page.getByRole('button', { name: 'Create', exact: true }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Room name').fill('Begun by chance')
  await form.getByLabel('Description').fill('Whatever comes.')
  await form.getByRole('button', { name: 'Draw an opening' }).click()
  const field = form.getByLabel('Opening (optional)')
  const first = await field.inputValue()
  await form.getByRole('button', { name: 'Another' }).click()
  await expect(field).not.toHaveValue(first)
  const opening = await field.inputValue()
  const goal = form.getByLabel('Goal in words (optional)')
  await page.setViewportSize({ width: 390, height: 844 })
  await goal.fill('1')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(goal).toBeFocused()
  await expect(form.getByText('Please choose from 100 to 100,000 words.')).toBeInViewport({ ratio: 1 })
  await goal.fill('100')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText(opening)).toBeVisible()
  await expect(page.getByText('0 of 100 words')).toBeVisible()
  const passage = page.getByPlaceholder('Continue the story...')
  await passage.fill('word '.repeat(60))
  await passage.press('Enter')
  await sign(page)
  await expect(page.getByRole('progressbar', { name: '60 of 100 words' })).toBeVisible()
  await passage.fill('word '.repeat(40))
  await passage.press('Enter')
  await expect(page.getByText('Goal reached: 100 words')).toBeVisible()
  await page.goto(roomsPath)
  await expect(
    page.getByRole('article', { name: 'Begun by chance' }).getByText('Goal: 100 words'),
  ).toBeVisible()
})
