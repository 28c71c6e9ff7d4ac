import type { Locator } from '@playwright/test'
import { roomPath, shelfPath, storyPath } from '#contract/rooms/paths.ts'
import { hostTable } from '#contract/rooms/table/endpoints.ts'
import { controlsUnder44 } from './controls.ts'
import { examine } from './examine.ts'
import { test } from './finished.ts'
import { makeRoom } from './people.ts'
import { asVisitor, expect, shareSession } from './test.ts'

test('the page of a finished story passes the examination at all widths, by day and by night [RLIST-28]', async ({
  open,
  finished,
}) => {
  const page = await open({ baseURL: finished.url })
  await asVisitor(page)
  await page.goto(roomPath(finished.rooms.short))
  await expect(page.getByRole('heading', { name: 'Contributors' })).toBeVisible()
  await examine(page, 'a story', page.getByRole('main'))
})

test('a reader without scripts finds a finished story on the shelf and reads it whole; with scripts both pages work [PUB-01 PUB-04]', async ({
  open,
  finished,
}) => {
  const page = await open({ baseURL: finished.url, javaScriptEnabled: false })
  await page.goto(shelfPath)
  await expect(page.getByRole('heading', { level: 1, name: 'Finished stories' })).toBeVisible()
  await page.locator(`a[href="${storyPath(finished.rooms.short)}"]`).click()
  await expect(page).toHaveURL(storyPath(finished.rooms.short))
  await expect(page.getByText('It rained.')).toBeVisible()
  await expect(page.getByText('somebody sang.')).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(shelfPath)

  const reader = await open({ baseURL: finished.url })
  await reader.goto(shelfPath)
  await examine(reader, 'the shelf')
  await reader.locator(`a[href="${storyPath(finished.rooms.short)}"]`).click()
  await reader.reload()
  await reader.getByRole('switch', { name: 'Show who wrote what' }).click()
  await expect(reader.getByText(/^User /).first()).toBeVisible()
  await examine(reader, 'a story at its own address')
})

test('a reader finds all paragraphs of a story at one indent, also below a first one of one line', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  const room = await makeRoom(ana, { turns: 'round' })
  await shareSession(page, ana)
  await page.goto(roomPath(room.id))
  for (const passage of ['It rained.', 'Nobody slept.', 'The ferry came.']) {
    const sent = page.waitForResponse(
      (answer) => answer.url().endsWith(`${room.id}/messages`) && answer.status() === 201,
    )
    await page.getByPlaceholder('Continue the story...').fill(passage)
    // Disabled until the next turn has come.
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await sent
  }
  await ana.client.does(hostTable, { params: { id: room.id }, input: { act: 'end' } })
  await expect(page.getByRole('heading', { name: 'Contributors' })).toBeVisible()
  const story = page.getByRole('list', { name: 'The story' })
  await expect(story).toContainText('The ferry came.')
  const starts = ['Nobody slept.', 'The ferry came.'].map((passage) =>
    story.getByText(passage).evaluate((paragraph) => {
      const line = document.createRange()
      line.selectNodeContents(paragraph)
      return line.getBoundingClientRect().left
    }),
  )
  const [second, third] = await Promise.all(starts)
  expect(second).toBe(third)
})

test('a reader on a phone hits every control of the shelf and of a story with a thumb, and never scrolls sideways', async ({
  open,
  finished,
}) => {
  const page = await open({
    baseURL: finished.url,
    viewport: { width: 320, height: 600 },
    hasTouch: true,
    isMobile: true,
  })
  for (const path of [shelfPath, storyPath(finished.rooms.short)]) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const { measured, small } = await controlsUnder44(page)
    expect.soft(measured, path).toBeGreaterThan(5)
    expect.soft(small, path).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(width, path).toBe(320)
  }
})

test('the large first letter of a story stands beside the rest of its word', async ({ open, finished }) => {
  const page = await open({ baseURL: finished.url })
  await asVisitor(page)
  await page.goto(storyPath(finished.rooms.long))
  const first = page.getByRole('list', { name: 'The story' }).getByRole('paragraph').first()
  const gap = await first.evaluate(({ firstChild: text }) => {
    const boxOf = (at: number) => {
      const range = document.createRange()
      range.setStart(text!, at)
      range.setEnd(text!, at + 1)
      return range.getBoundingClientRect()
    }
    return boxOf(1).left - boxOf(0).right
  })
  expect(gap).toBeGreaterThanOrEqual(0)
  expect(gap).toBeLessThan(4)
})

test('a reader sees a Hebrew title and a Hebrew paragraph begin on the right', async ({ open, finished }) => {
  const page = await open({ baseURL: finished.url })
  await asVisitor(page)
  await page.goto(roomPath(finished.rooms.hebrew))
  const story = page.getByRole('list', { name: 'The story' })
  expect(await halvesOf(story.getByRole('heading'))).toEqual(['right', 'right'])
  expect(await halvesOf(story.getByRole('paragraph'))).toEqual(['right', 'right'])
})
/** The halves of an element in which the first and the last sign of its short text stand. */
const halvesOf = (written: Locator) =>
  written.evaluate((element) => {
    const box = element.getBoundingClientRect()
    const text = element.firstChild as Text
    return [0, text.length - 1].map((index) => {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + 1)
      return range.getBoundingClientRect().left < box.left + box.width / 2 ? 'left' : 'right'
    })
  })
