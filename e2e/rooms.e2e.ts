import type { Page } from '@playwright/test'
import { roomPath, roomsPath } from '#contract/rooms/paths.ts'
import { makeRoom, sign } from './people.ts'
import { asAdmin, asVisitor, expect, signIn, test } from './test.ts'

const field = (page: Page) => page.getByPlaceholder('Continue the story...')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

async function write(page: Page, text: string) {
  await field(page).fill(text)
  await field(page).press('Enter')
}

test('a person creates a room, another joins, and each sees immediately what the other writes [RLIST-40 RLIST-47 RLIST-54 RLIST-55 RLIST-34 RVIEW-01 RVIEW-14 RVIEW-15 RVIEW-18 LOOP-25 PERM-07 API-30 API-31 API-32]', async ({
  page,
  app,
  open,
}) => {
  const [ana, ben] = [await app.signUp(), await app.signUp({ firstName: 'Ben' })]
  await signIn(page, ana)
  await page.goto(roomsPath)
  await button(page, 'Create').first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/name/i).first().fill('A house by the sea')
  await form.getByPlaceholder('Describe your story theme...').fill('What the tide brought in')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form).toBeHidden()
  // The creator enters the new room.
  await expect(page.getByText('What the tide brought in')).toBeVisible()
  await expect(page.getByText('No messages yet')).toBeVisible()

  const other = await open()
  await signIn(other, ben)
  await other.goto(roomsPath)
  const theirs = other.getByRole('article').filter({ hasText: 'A house by the sea' })
  await theirs.getByRole('button', { name: /^Join/ }).click()
  const signing = other.getByRole('dialog')
  await signing.getByRole('radio', { name: /^Ben/ }).click()
  await signing.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(theirs.getByRole('button', { name: /^Join/ })).toHaveCount(0)
  await other.goto(new URL(page.url()).pathname + new URL(page.url()).search)
  await expect(field(other)).toBeVisible()

  await write(page, 'First there was only the sea.')
  // The creator has not joined, and is asked at the first passage.
  await expect(field(page)).toHaveValue('First there was only the sea.')
  await sign(page)
  await expect(other.getByText('First there was only the sea.')).toBeVisible()
  await expect(field(page)).toHaveValue('')
  await write(other, 'Then somebody lit a lamp.')
  await expect(page.getByText('Then somebody lit a lamp.')).toBeVisible()
  const last = (reader: Page) => reader.locator('[data-position]').last()
  await expect(last(page)).toContainText(/^Ben/)
  await expect(last(other)).toContainText('(you)')
  await expect(page.getByText('2 here')).toBeVisible()
  // Writing is announced at most every few seconds.
  await expect(async () => {
    await field(other).press('a')
    await expect(page.getByText(/is writing/)).toBeVisible({ timeout: 500 })
  }).toPass()
})

test('a visitor reads new passages of a public room, and has no field to write in [PERM-17 RLIST-33]', async ({
  page,
  app,
  open,
}) => {
  const ana = await app.signUp()
  const room = await makeRoom(ana)
  await asVisitor(page)
  await page.goto(roomPath(room.id))
  await expect(page.getByText('No messages yet')).toBeVisible()
  await expect(field(page)).toHaveCount(0)
  const writer = await open()
  await signIn(writer, ana)
  await writer.goto(roomPath(room.id))
  await write(writer, 'It rained all day.')
  await expect(page.getByText('It rained all day.')).toBeVisible()
})

test('a stranger sees the name of a private room, and none of its passages [PERM-18 PERM-19 RLIST-32]', async ({
  page,
  app,
}) => {
  const [ana, ben] = [await app.signUp(), await app.signUp()]
  const room = await makeRoom(ana, { name: 'No way in', isPublic: false })
  await signIn(page, ben)
  await page.goto(roomsPath)
  const card = page.getByRole('article').filter({ hasText: 'No way in' })
  await expect(card.getByRole('button', { name: 'Private' })).toBeDisabled()
  await expect(card.getByRole('button', { name: /^Join/ })).toHaveCount(0)
  await page.goto(roomPath(room.id))
  await expect(page.getByText('This is a private room. You cannot join without an invitation.')).toBeVisible()
})

test('an admin deletes a room, and a member who has it open loses the field [RVIEW-06 RVIEW-17 RVIEW-19 ERR-21 ERR-22 PERM-15 API-35 S42]', async ({
  page,
  app,
  open,
}) => {
  const ana = await app.signUp()
  const room = await makeRoom(ana, { name: 'Soon gone' })
  const reader = await open()
  await signIn(reader, ana)
  await reader.goto(roomPath(room.id))
  await expect(field(reader)).toBeVisible()
  await asAdmin(page)
  await page.goto(roomPath(room.id))
  await page.getByRole('button', { name: /^Delete/ }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(
    'Are you sure you want to delete the Z!mmer "Soon gone"? This action cannot be undone.',
  )
  await question.getByRole('button', { name: /Delete|OK/ }).click()
  await expect(page.getByText('Z!mmer deleted successfully')).toBeVisible()
  await expect(field(reader)).toHaveCount(0)
})

test('on a phone a person sends several passages with the keyboard open, and the page never scrolls sideways [RLIST-15 RVIEW-09 RVIEW-15]', async ({
  app,
  open,
}) => {
  const ana = await app.signUp()
  const room = await makeRoom(ana, { name: 'W'.repeat(60), description: 'w'.repeat(300) })
  const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await signIn(page, ana)
  await page.goto(roomsPath)
  await expect(page.getByRole('article').first()).toBeVisible()
  expect(await overhang()).toBe(0)
  await page.goto(roomPath(room.id))
  await field(page).tap()
  await page.setViewportSize({ width: 390, height: 430 })
  for (const text of ['The first line,\nand its second', 'Another one']) {
    await field(page).pressSequentially(text)
    await button(page, 'Send').tap()
    await expect(field(page)).toHaveValue('')
    await expect(page.locator('[data-position]').last()).toContainText(text)
    await expect(field(page)).toBeFocused()
  }
  expect(await overhang()).toBe(0)
})
