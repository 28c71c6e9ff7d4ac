import type { Page } from '@playwright/test'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { announce } from './announce.ts'
import { day, edit, save, sheet, write } from './diary.ts'
import { bar, expect, signIn, test } from './test.ts'

test('a person who types the 60th line sees it, with its state and Save, above the bottom bar, at every width [DIARY-06]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  for (const [width, height] of [
    [1440, 900],
    [820, 1180],
    [390, 500],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(`/diary?day=${day}`)
    await expect(sheet(page)).toBeEditable()
    await sheet(page).fill(Array.from({ length: 55 }, (_, i) => `Line ${i + 1}`).join('\n'))
    for (let line = 56; line <= 60; line++) await sheet(page).pressSequentially(`\nLine ${line}`)
    await expect(page.getByText('Safe on this device')).toBeVisible()
    const covering = [bar(page), page.getByText('Safe on this device'), save(page)]
    for (const key of ['ArrowRight', 'PageUp', 'ControlOrMeta+End', 'x']) {
      await sheet(page).press(key)
      // The browser scrolls a moment after the key.
      await expect(async () => {
        const { top, bottom } = await lineOfCaret(page)
        expect(top, key).toBeGreaterThanOrEqual(0)
        for (const part of covering) {
          // On a phone the bottom bar is hidden while a person writes.
          if (await part.isVisible()) expect(bottom, key).toBeLessThanOrEqual((await part.boundingBox())!.y)
        }
      }).toPass({ timeout: 5000 })
    }
    for (const part of [page.getByText('Safe on this device'), save(page)])
      await expect(part).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('banner')).toBeVisible({ visible: width > 640 })
    await save(page).click()
    await expect(edit(page)).toBeFocused()
    await expect(page.getByRole('banner')).toBeVisible()
    await ana.client.does(saveDiaryEntry, { input: { date: day, content: '' } })
  }
})

test('a person who writes on a phone goes to another day and opens the month with one press each [DIARY-05]', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, await app.signUp())
  await page.goto(`/diary?day=${day}`)
  await write(page, 'Rain since four.')
  await page.getByRole('button', { name: 'Previous day' }).click()
  await expect(page.getByRole('heading', { name: 'Monday, June 9, 2025' })).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
  const yesterday = page.getByRole('textbox', { name: 'Entry of Monday, June 9, 2025' })
  await yesterday.fill('Still dry.')
  await expect(page.getByRole('banner')).toBeHidden()
  await page.getByRole('button', { name: 'Monday, June 9, 2025' }).click()
  await expect(page.getByRole('dialog', { name: 'Choose a day' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(yesterday).toBeFocused()
})

test('the page stays where it is when a person saves a short entry with the keys [DIARY-06]', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, await app.signUp())
  await page.goto(`/diary?day=${day}`)
  await expect(sheet(page)).toBeEditable()
  await sheet(page).pressSequentially('Rain since four.')
  const scrolled = () => page.evaluate(() => scrollY)
  const before = await scrolled()
  await page.keyboard.press('ControlOrMeta+s')
  await expect(edit(page)).toBeFocused()
  await expect(edit(page)).toBeInViewport({ ratio: 1 })
  expect(await scrolled()).toBe(before)
})

test('a person sees the saved state appear within the edges of the sheet, and nothing moves [DIARY-06]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  for (const width of [320, 390, 820, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/diary?day=2025-06-${10 + (width % 7)}`)
    const area = page.getByPlaceholder('Write...')
    await expect(area).toBeEditable()
    await area.focus()
    // A font that arrives later moves the lines, and the foot of the sheet slides to the bar when that is measured.
    await page.evaluate(async () => {
      await document.fonts.ready
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      await Promise.all(document.getAnimations().map(({ finished }) => finished))
    })
    const parts = [area, page.getByRole('heading', { level: 2 }), save(page)]
    const boxes = async () => (await Promise.all(parts.map((part) => part.boundingBox()))) as Box[]
    const before = await boxes()
    await area.pressSequentially('word')
    const state = page.getByText('Safe on this device')
    await expect(state).toBeVisible()
    // The position of a sticky part may differ by a 64th of a pixel between two layouts, because the browser rounds it.
    for (const [i, box] of (await boxes()).entries())
      for (const side of ['x', 'y', 'width', 'height'] as const)
        expect(box[side]).toBeCloseTo(before[i]![side], 1)
    const [sheetBox, headingBox] = before
    expect(headingBox!.x).toBeCloseTo(sheetBox!.x - 1, 0)
    const stateBox = (await state.boundingBox())!
    expect(stateBox.x).toBeGreaterThan(sheetBox!.x)
    expect(stateBox.x + stateBox.width).toBeLessThan(sheetBox!.x + sheetBox!.width)
  }
})

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The top and bottom of the line with the caret, in pixels of the window. */
const lineOfCaret = (page: Page) =>
  sheet(page).evaluate((area: HTMLTextAreaElement) => {
    const style = getComputedStyle(area)
    const lineHeight = Number.parseFloat(style.lineHeight)
    const line = area.value.slice(0, area.selectionStart).split('\n').length
    const box = area.getBoundingClientRect()
    const bottom = box.top + Number.parseFloat(style.paddingTop) + line * lineHeight - area.scrollTop
    return { top: bottom - lineHeight, bottom }
  })

test('an announcement gives way while a person writes on a phone, and is there again afterwards [INST-03 DIARY-06]', async ({
  page,
  app,
}) => {
  await announce(app, 'The house is closed on Friday.')
  try {
    await page.setViewportSize({ width: 390, height: 800 })
    await signIn(page, await app.signUp())
    await page.goto(`/diary?day=${day}`)
    const bar = page.getByRole('region', { name: 'Announcement' })
    await expect(bar).toBeVisible()
    await sheet(page).fill('Rain on the roof')
    await expect(bar).toBeHidden()
    await save(page).click()
    await expect(edit(page)).toBeFocused()
    await expect(bar).toBeVisible()
  } finally {
    await announce(app, null)
  }
})
