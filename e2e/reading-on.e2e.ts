import { execFileSync } from 'node:child_process'
import { addDays } from '#contract/days.ts'
import { expect, test } from './test.ts'

// Every text of the day, in the order of the feed.
const titles = ['The train', 'The ferry', 'The lamp'] as const

for (const width of [390, 1440])
  test(`a visitor who came by a link reads on to the next article, back, to its day and an empty day, and prints, at ${width} px [LOOP-20 LOOP-21 LOOP-22]`, async ({
    open,
    app,
  }) => {
    const name = `Odile Marsh${width}`
    const writer = await app.signUp({ firstName: 'Odile', lastName: `Marsh${width}` })
    const [lamp, ferry, train] = [...titles].reverse().map((title) => `${title} ${width}`) as [
      string,
      string,
      string,
    ]
    await app.publish({ content: `${lamp}\n\nIt burned.`, authorName: name, by: writer.client })
    await app.publish({ content: `${ferry}\n\n${'It was late and it rained. '.repeat(100)}` })
    const { id } = await app.publish({ content: `${train}\n\nIt left.`, authorName: name, by: writer.client })
    const page = await open({ viewport: { width, height: 844 } })

    await page.goto(`/posts/${id}`)
    await expect(page.getByText('Z!mmer is a place for people who write')).toBeVisible()
    await expect(page.locator('article').getByRole('button', { name: 'Sign Up' })).toBeVisible()
    await expect(page.getByRole('link', { name: lamp })).toBeVisible()
    await page.getByRole('link', { name: `Next: ${ferry} · Ana Lima` }).click()
    const title = page.getByRole('heading', { level: 1 })
    await expect(title).toHaveText(ferry)
    await expect(title).toBeFocused()
    await expect(page.getByText('3 minutes to read')).toBeVisible()
    await page.getByRole('link', { name: `Previous: ${train} · ${name}` }).click()
    await expect(title).toHaveText(train)
    await page.getByRole('link', { name: 'All posts of' }).click()
    await expect(page).toHaveURL(/\/dashboard\?date=[\d-]{10}$/)
    await expect(page.getByRole('heading', { level: 2, name: ferry })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

    const day = new URL(page.url()).searchParams.get('date')!
    await page.goto(`/dashboard?date=${addDays(day, -2)}`)
    await expect(page.getByText('No posts for')).toBeVisible()
    await page.goto(`/posts/${id}`)
    await page.evaluate(() =>
      Object.assign(window, { print: () => Object.assign(window, { printed: true }) }),
    )
    await page.getByRole('button', { name: 'Print' }).click()
    expect(await page.evaluate(() => 'printed' in window)).toBe(true)
    const pdf = execFileSync('pdftotext', ['-', '-'], { input: await page.pdf(), encoding: 'utf8' })
    expect(pdf.match(/[^\s·]+/g)!.join(' ')).toMatch(new RegExp(`^${train} ${name} \\S.* It left\\.$`))
  })

for (const width of [390, 1440])
  test(`a reader goes on to the next article in the dialog, and Close leads to its card in the feed, at ${width} px [LOOP-20]`, async ({
    open,
    app,
  }) => {
    const [older, newer] = [`The ship ${width}`, `The tower ${width}`]
    const { id } = await app.publish({ content: `${older}\n\nIt sailed.`, authorName: 'Odile Marsh' })
    await app.publish({
      content: `${newer}\n\n${'It stood in the rain. '.repeat(200)}`,
      authorName: 'Odile Marsh',
    })
    const page = await open({ viewport: { width, height: 844 } })
    await page.goto('/dashboard')
    const cards = page.getByRole('article', { name: 'Post by Odile Marsh' })
    await cards.filter({ hasText: newer }).getByRole('link', { name: 'Continue reading' }).click()
    await page
      .getByRole('dialog', { name: newer })
      .getByRole('link', { name: `Next: ${older}` })
      .click()
    const dialog = page.getByRole('dialog', { name: older })
    await expect(dialog.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(dialog.getByText('It sailed.')).toBeInViewport()
    await expect(page).toHaveURL(`/posts/${id}`)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(cards.filter({ hasText: older }).locator(`a[href="/posts/${id}"]`)).toBeFocused()
  })
