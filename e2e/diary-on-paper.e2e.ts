import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { bottomBar } from './people.ts'
import { type App, expect, type Person, signIn, test } from './test.ts'

test('a reader sees each line of the paper view on its rule, at any text size [DIARY-26 DIARY-27 DIARY-28]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  for (const [date, content] of [
    ['2025-06-11', 'Short.'],
    ['2025-06-10', 'A long line of a day that goes on and on. '.repeat(800)],
  ] as const) {
    await ana.client.does(saveDiaryEntry, { input: { date, content } })
  }
  await signIn(page, ana)
  await page.goto('/diary?view=paper')
  const dates = page.locator('.paper-entry h2')
  await expect(dates).toHaveText(['Tuesday, June 10th, 2025', 'Wednesday, June 11th, 2025'])
  for (const size of ['80%', '100%', '110%', '133%', '200%']) {
    await page.evaluate((fontSize) => void (document.documentElement.style.fontSize = fontSize), size)
    const offsets = await page.locator('.paper-entry').first().evaluate(offsetsOfLines)
    expect(offsets.length).toBeGreaterThan(200)
    expect(Math.max(...offsets)).toBeLessThan(1)
  }
  await page.emulateMedia({ media: 'print' })
  await expect(dates.first()).toBeVisible()
  for (const part of [page.getByRole('banner'), page.getByRole('region', { name: 'Account' })])
    await expect(part).toBeHidden()
})

test('a reader finds the paper open at the newest page, goes to a month, from there to an entry and back, sees the date that has the focus, also after fast Tabs on a phone, and the whole of each word of the row below [DIARY-27 DIARY-29 R22]', async ({
  page,
  app,
}) => {
  await signIn(page, await writerOfYear(app))
  for (const [width, height] of [
    [1440, 900],
    [390, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/diary?view=paper')
    const newest = page.getByRole('link', { name: 'Saturday, December 21st, 2024' })
    await expect(newest).toBeInViewport()
    await expect(page.locator('.paper-entry')).toHaveCount(36)
    await expect(newest).toBeInViewport()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const exporting = (await page.getByRole('button', { name: 'Export to PDF' }).boundingBox())!
    const last = (await page.locator('.paper-entry p').last().boundingBox())!
    expect(last.y + last.height).toBeLessThanOrEqual(exporting.y)

    const months = page.getByLabel('Go to month')
    await months.selectOption('March 2024')
    const march = page.getByRole('link', { name: 'Friday, March 1st, 2024' })
    await expect(march).toBeInViewport({ ratio: 1 })
    await expect.poll(async () => (await march.boundingBox())!.y).toBeLessThan(height / 3)

    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect(march).not.toBeInViewport()
    await months.dispatchEvent('pointerdown')
    await months.selectOption('March 2024')
    await expect(march).toBeInViewport({ ratio: 1 })
    await months.focus()
    await months.blur()
    await months.focus()
    for (const first of ['Sunday, December 1st', 'Friday, November 1st', 'Tuesday, October 1st']) {
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('link', { name: `${first}, 2024` })).toBeInViewport({ ratio: 1 })
    }
    await page.keyboard.type('Mar')
    await expect(march).toBeInViewport({ ratio: 1 })

    await march.click()
    await expect(page.getByRole('heading', { name: 'Friday, March 1, 2024' })).toBeVisible()
    await page.goBack()
    await expect(march).toBeInViewport({ ratio: 1 })
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab')
      // The browser scrolls a moment after the key.
      await expect.poll(() => page.evaluate(isFocusCovered)).toBe(false)
    }
  }
  await page.getByRole('link', { name: 'Friday, March 1st, 2024' }).focus()
  for (let i = 0; i < 5; i++) {
    await Promise.all(Array.from({ length: 4 }, () => page.keyboard.press('Tab')))
    await expect.poll(() => page.evaluate(isFocusCovered)).toBe(false)
    // The browser lays out the entries that came into the window in the next two frames.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    expect(await page.evaluate(isFocusCovered)).toBe(false)
  }

  await page.setViewportSize({ width: 360, height: 780 })
  const [room, needed] = await page.getByLabel('Go to month').evaluate((select: HTMLSelectElement) => {
    const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(select)
    const canvas = document.createElement('canvas').getContext('2d')!
    canvas.font = font
    const text = select.selectedOptions[0]!.text
    return [
      select.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd),
      canvas.measureText(text).width,
    ]
  })
  expect(needed).toBeLessThanOrEqual(room!)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('a reader on a phone who scrolls down finds Export at the end of the window, above the bottom bar once it is back [DIARY-29]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  const content = 'Rain.\n'.repeat(200)
  await ana.client.does(saveDiaryEntry, { input: { date: '2025-06-11', content } })
  await signIn(page, ana)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/diary?view=paper')
  const foot = page.getByRole('button', { name: 'Export to PDF' }).locator('xpath=ancestor::*[@data-foot]')
  await expect(foot).toBeVisible()
  const end = async () => {
    const { y, height } = (await foot.boundingBox())!
    return Math.round(y + height)
  }
  await page.mouse.move(200, 300)
  await page.evaluate(() => scrollTo(0, 500))
  await page.mouse.wheel(0, 300)
  await expect.poll(end).toBe(800)
  await page.mouse.wheel(0, -200)
  await expect
    .poll(async () => Math.abs((await bottomBar(page).boundingBox())!.y - (await end())))
    .toBeLessThan(1)
})

/** A person who wrote on three days of every month of 2024. */
async function writerOfYear(app: App): Promise<Person> {
  const ana = await app.signUp()
  for (let month = 1; month <= 12; month++)
    for (const date of [1, 11, 21]) {
      const input = {
        date: new Date(Date.UTC(2024, month - 1, date)).toISOString().slice(0, 10),
        content: 'Rain. '.repeat(200),
      }
      await ana.client.does(saveDiaryEntry, { input })
    }
  return ana
}

/** Whether something lies above the middle of the focused control. */
function isFocusCovered(): boolean {
  const { left, width, top, height } = document.activeElement!.getBoundingClientRect()
  const above = document.elementFromPoint(left + width / 2, top + height / 2)
  return !document.activeElement!.contains(above)
}

/** The distance of each line of an entry from its rule, in pixels. */
function offsetsOfLines(entry: Element): number[] {
  const paragraph = entry.querySelector('p')!
  const rule = Number.parseFloat(getComputedStyle(paragraph).lineHeight)
  const range = document.createRange()
  range.selectNodeContents(paragraph)
  const top = entry.getBoundingClientRect().top
  const middles = new Set(
    Array.from(range.getClientRects(), ({ top: from, bottom }) => (from + bottom) / 2 - top),
  )
  return Array.from(middles, (middle) => {
    const end = middle + rule / 2
    return Math.abs(end - Math.round(end / rule) * rule)
  })
}

test('a reader finds "Export to PDF" at the bottom right, below an empty diary, a short day and a long one, and a short day on a sheet of the full width [DIARY-26 DIARY-35]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  for (const [date, content] of [
    ['2025-06-10', ''],
    ['2025-06-11', 'Short.'],
    ['2025-06-12', 'A line.\n'.repeat(200)],
  ] as const) {
    await ana.client.does(saveDiaryEntry, { input: { date, content } })
    await page.goto('/diary?view=paper')
    for (const [width, height] of [
      [390, 844],
      [820, 1180],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height })
      // The button moves until the pages of the paper are laid out.
      await expect(async () => {
        const box = (await page.getByRole('button', { name: 'Export to PDF' }).boundingBox())!
        const bar = bottomBar(page)
        const end = (await bar.isVisible()) ? (await bar.boundingBox())!.y : height
        expect(end - box.y - box.height).toBeLessThan(32)
        const main = (await page.getByRole('main').boundingBox())!
        expect(box.x + box.width).toBeGreaterThan(main.x + main.width / 2)
      }).toPass({ timeout: 10_000 })
      if (content === 'Short.') {
        const { width: ofSheet } = (await page.locator('.paper').boundingBox())!
        expect(ofSheet).toBeGreaterThan(width === 390 ? 320 : 600)
      }
    }
  }
})
