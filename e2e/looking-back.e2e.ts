import type { Page } from '@playwright/test'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { examine } from './examine.ts'
import { bottomBar } from './people.ts'
import { type App, expect, type Person, signIn, test } from './test.ts'

// The diary is encrypted on the server.
test.use({ settings: { DIARY_KEY: 'a'.repeat(64) } })

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

const field = (page: Page) => page.getByRole('textbox', { name: 'Search your diary' })
const results = (page: Page) => page.getByRole('link').filter({ has: page.locator('mark') })

test('a writer finds below the day, or beside it in a wide window, what was written on it in earlier years, opens it, and switches it off [OWN-15]', async ({
  page,
  app,
}) => {
  await signIn(page, await writerOfYears(app))
  const list = page.getByRole('region', { name: 'On This Day' })
  for (const [width, height] of [
    [1440, 900],
    [390, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/diary?day=2025-06-10')
    await expect(list.getByRole('link')).toHaveText([
      /^2024\s*A year ago$/,
      /^2024\s*Note\s*Buy oil for the lamp$/,
      /^2023\s*Nothing but rain\.$/,
      /^2016\s*It rained until noon/,
    ])
    const rows = await list
      .getByRole('link')
      .evaluateAll((links) =>
        links.map(({ lastElementChild: words }) =>
          Math.round(words!.clientHeight / parseFloat(getComputedStyle(words!).lineHeight)),
        ),
      )
    expect(rows).toEqual(width === 390 ? [1, 1, 1, 1] : [1, 1, 1, 2])
    const sheet = (await page.getByPlaceholder('Write...').boundingBox())!
    const { x, y } = (await list.boundingBox())!
    if (width === 390) expect(y).toBeGreaterThan(sheet.y + sheet.height)
    else expect(x).toBeGreaterThan(sheet.x + sheet.width)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }

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

test('a writer on a phone finds days while typing, also without a network, opens one at its match, and the server gets no word of it [OWN-16]', async ({
  page,
  app,
  forgive,
}) => {
  // Without a network the page cannot load the days again, and the stream of events breaks off.
  forgive(/Failed to (load|fetch)|ERR_INTERNET_DISCONNECTED/)
  await page.setViewportSize({ width: 390, height: 800 })
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await signIn(page, await writerOfYears(app))
  await page.goto('/diary')
  await expect(page.getByPlaceholder('Write...')).toBeEditable()
  await page.getByRole('heading', { name: 'My Diary' }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('lam')
  await expect(results(page)).toHaveText([/Buy oil for the lamp$/, /At night the lamp was lit\.$/])
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([/^2024/, /^2016/])
  await expect(page.getByText('2 matches', { exact: true })).toBeVisible()

  await page.context().setOffline(true)
  await field(page).fill('gruss cafe')
  await expect(results(page)).toHaveText([/Ein Gruß vom Café/])
  await field(page).fill('שלום')
  await expect(results(page)).toHaveText([/שלום/])
  await field(page).fill('"the lamp was"')
  await results(page).click()
  const mark = page.locator('.paper mark')
  await expect(mark).toHaveText('the lamp was')
  await expect(mark).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Friday, June 10th, 2016' })).toBeFocused()
  await page.context().setOffline(false)
  await page.goBack()
  await expect(field(page)).toHaveValue('"the lamp was"')
  await expect(results(page)).toHaveCount(1)
  expect(page.workers()).toHaveLength(1)
  // The name of a built file has letters by chance.
  const said = sent.map((request) => request.replace(/\/assets\/[\w.-]+/, ''))
  expect(said.filter((request) => /lam(p|\b)|gru|caf|%D7/i.test(request))).toEqual([])

  await field(page).fill('')
  await expect(page.getByText(/What you type stays on this device/)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a writer finds a day while the file of the paper view is still on its way [OWN-16]', async ({
  page,
  app,
}) => {
  await signIn(page, await writerOfYears(app))
  await page.route('**/assets/PaperView-*.js', () => {})
  await page.goto('/diary?view=search', { waitUntil: 'domcontentloaded' })
  await field(page).fill('nothing but')
  await expect(results(page)).toHaveText(/Nothing but rain/)
})

test('after log-out nothing of the search is left, and the next person finds only the own days [OWN-16 S48]', async ({
  page,
  app,
}) => {
  await signIn(page, await writerOfYears(app))
  await page.goto('/diary?view=search')
  await field(page).fill('lamp')
  await expect(results(page)).toHaveCount(2)
  await bottomBar(page).getByRole('button', { name: 'Log Out' }).click()
  await page.waitForURL((url) => url.pathname !== '/diary')
  expect(page.workers()).toEqual([])
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toMatch(/lamp|rain/i)

  const ben = await app.signUp({ firstName: 'Ben' })
  await ben.client.does(saveDiaryEntry, { input: { date: '2024-06-10', content: 'A table, and rain' } })
  await signIn(page, ben)
  await page.goto('/diary?view=search')
  await expect(field(page)).toHaveValue('')
  await field(page).fill('rain')
  await expect(results(page)).toHaveText([/A table, and rain$/])
  await field(page).fill('lamp')
  await expect(page.getByText('Nothing found for “lamp”')).toBeVisible()
})

test('the list of this day, the results of a search and an opened match have no fault of accessibility [OWN-15 OWN-16]', async ({
  page,
  app,
}) => {
  await signIn(page, await writerOfYears(app))
  await page.goto('/diary?day=2025-06-10')
  await expect(page.getByRole('region', { name: 'On This Day' })).toBeVisible()
  await examine(page, 'the diary with earlier years', page.getByRole('main'))
  await page.goto('/diary?view=search')
  await field(page).fill('lamp')
  await expect(results(page)).toHaveCount(2)
  await examine(page, 'the results of a search', page.getByRole('main'))
  await results(page).last().click()
  await expect(page.locator('.paper mark')).toBeVisible()
  await examine(page, 'an opened match', page.getByRole('main'))
})
