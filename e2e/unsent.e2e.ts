import type { Page } from '@playwright/test'
import { getDiary, getDiaryEntry } from '#contract/diary/endpoints.ts'
import { listDrafts } from '#contract/drafts/endpoints.ts'
import { day } from './diary.ts'
import { examine } from './examine.ts'
import { rowsOnDevice } from './on-device.ts'
import { crash } from './player.ts'
import { go } from './navigation.ts'
import { type Person, expect, signIn, test } from './test.ts'

const sheet = (page: Page) => page.getByRole('textbox', { name: /^Entry of/ })
const save = (page: Page) => page.getByRole('button', { name: 'Save Entry' })
const sentLater = (page: Page) => page.getByText('Safe on this device, will be sent')
const line = (page: Page) => page.getByRole('button', { name: /on this device|your decision/ })
const list = (page: Page) => page.getByRole('dialog', { name: 'On this device' })
/** The days of June 2025 in the account, in the order in which the server stored them. */
const storedDays = async ({ client }: Person) =>
  (await client.does(getDiary)).toSorted((one, other) => (one.updated_at! < other.updated_at! ? -1 : 1))

const storedText = async ({ client }: Person) =>
  (await client.does(getDiaryEntry, { params: { day } })).content

/** The drafts in the storage of the browser. */
const keptTexts = async (page: Page) =>
  (((await rowsOnDevice(page))['drafts/drafts'] ?? []) as { text: string }[]).map(({ text }) => text)

/** Opens a day without loading the page again. */
const goTo = (page: Page, day: string) => go(page, `/diary?day=${day}`)

/** Opens a day, and waits for the part of the page that sends. */
async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.locator('div:has(~ #main) output')).toBeAttached()
}

async function writeAndSave(page: Page, text: string) {
  await expect(sheet(page)).toBeEditable({ timeout: 3000 })
  await sheet(page).fill(text)
  await save(page).click()
  await expect(sentLater(page)).toBeVisible()
}

/** What the browser and the page log about a network that is away. */
const aboutNetwork =
  /^Failed to (load|save|fetch)|^TypeError: Failed to fetch|ERR_INTERNET_DISCONNECTED|ERR_FAILED/

test('three days that a person writes in airplane mode are sent once each, in order, when the tab was closed and is opened again [OWN-02 OWN-03 OWN-20]', async ({
  page,
  context,
  app,
  forgive,
}) => {
  forgive(aboutNetwork)
  const ana = await app.signUp()
  await signIn(page, ana)
  const isListLoaded = page.waitForResponse(/\/UnsentDialog-/)
  await open(page, '/diary?day=2025-06-12')
  await expect(sheet(page)).toBeEditable()
  await (await isListLoaded).finished()
  await context.setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  for (const [day, text] of [
    ['2025-06-12', 'Over the sea'],
    ['2025-06-10', 'Before it'],
    ['2025-06-11', 'In between'],
  ] as const) {
    await goTo(page, day)
    await writeAndSave(page, text)
  }
  await expect(line(page)).toHaveText('You are offline. 3 days wait on this device.')
  await line(page).click()
  await expect(list(page).getByRole('link')).toHaveText([/June 12/, /June 10/, /June 11/])
  await examine(page, 'the list of what waits')
  await page.close()
  await context.setOffline(false)
  expect(await storedDays(ana)).toEqual([])

  const next = await context.newPage()
  await next.goto('/dashboard')
  await expect
    .poll(async () => (await storedDays(ana)).map(({ content }) => content))
    .toEqual(['Over the sea', 'Before it', 'In between'])
  await expect(line(next)).toHaveCount(0)
  await next.goto('/diary?day=2025-06-10')
  await expect(sheet(next)).toHaveValue('Before it')
  await expect(next.getByRole('button', { name: 'Edit Entry' })).toBeVisible()
})

test('a text whose answer is lost and whose page is killed is stored once, with what was typed after it [OWN-20]', async ({
  page,
  context,
  app,
  forgive,
}) => {
  forgive(aboutNetwork)
  const ana = await app.signUp()
  await signIn(page, ana)
  await open(page, `/diary?day=${day}`)
  await expect(sheet(page)).toBeEditable()
  await sheet(page).fill('Rain')
  const isStored = Promise.withResolvers<void>()
  await context.route('**/api/diary/save', async (route) => {
    await route.fetch()
    await route.abort()
    isStored.resolve()
  })
  await save(page).click()
  await isStored.promise
  await sheet(page).fill('Rain and wind')
  await expect.poll(() => keptTexts(page)).toEqual(['Rain and wind'])
  await crash(context, page)
  await context.unroute('**/api/diary/save')
  expect(await storedText(ana)).toBe('Rain')

  const next = await context.newPage()
  await open(next, '/dashboard')
  await expect.poll(() => storedText(ana)).toBe('Rain and wind')
  await expect.poll(() => keptTexts(next)).toEqual([])
  await next.goto(`/diary?day=${day}`)
  await expect(sheet(next)).toHaveValue('Rain and wind')
  await expect(next.getByRole('dialog')).toHaveCount(0)
})

test('a writer whose other tab stays in a transaction with the drafts writes within seconds, and has the draft of a closed tab when it ends [R22 OWN-20]', async ({
  page,
  context,
  app,
  forgive,
}) => {
  forgive(/could not|in time/)
  const ana = await app.signUp()
  await signIn(page, ana)
  await open(page, `/diary?day=${day}`)
  await sheet(page).fill('Typed and not saved')
  await expect.poll(() => keptTexts(page)).toEqual(['Typed and not saved'])
  await crash(context, page)
  const other = await context.newPage()
  await other.goto('/theme.js')
  await other.evaluate(async (name) => {
    const { storageBuckets } = navigator as unknown as {
      storageBuckets: { open: (name: string) => Promise<{ indexedDB: IDBFactory }> }
    }
    const opening = (await storageBuckets.open(name)).indexedDB.open('drafts')
    opening.onsuccess = () => {
      const store = opening.result.transaction('drafts', 'readwrite').objectStore('drafts')
      const stay = () => (store.count().onsuccess = stay)
      stay()
    }
  }, `drafts-${ana.user.id}`)

  const next = await context.newPage()
  await next.goto(`/diary?day=${day}`)
  await expect(sheet(next)).toBeEditable()
  await expect(sheet(next)).toHaveValue('')
  await other.close()
  await expect(sheet(next)).toHaveValue('Typed and not saved')
  await expect(next.getByText('Safe on this device')).toBeVisible()
})

test('two devices that wrote one day without a network show both texts, and lose none [OWN-03]', async ({
  page,
  context,
  app,
  open: openDevice,
  forgive,
}) => {
  forgive(aboutNetwork)
  const ana = await app.signUp()
  const phone = await openDevice()
  for (const device of [page, phone]) {
    await signIn(device, ana)
    await open(device, `/diary?day=${day}`)
    await expect(sheet(device)).toBeEditable()
    await device.context().setOffline(true)
  }
  await writeAndSave(page, 'At the desk')
  await writeAndSave(phone, 'On the train')
  await goTo(phone, '2025-06-11')
  await context.setOffline(false)
  await expect(page.getByRole('button', { name: 'Edit Entry' })).toBeVisible()
  expect(await storedText(ana)).toBe('At the desk')

  await phone.context().setOffline(false)
  await expect(line(phone)).toHaveText('1 day needs your decision.')
  expect(await storedText(ana)).toBe('At the desk')
  await line(phone).click()
  await expect(list(phone)).toContainText(': this text was also changed elsewhere.')
  await list(phone).getByRole('link', { name: 'Diary entry of Tuesday, June 10, 2025' }).click()
  const question = phone.getByRole('dialog', { name: 'Two versions of this text' })
  await expect(question.getByLabel('Written here')).toHaveValue('On the train')
  await expect(question.getByLabel('Saved elsewhere')).toHaveValue('At the desk')
  await question.getByRole('button', { name: 'Keep both' }).click()
  await save(phone).click()
  await expect(phone.getByRole('button', { name: 'Edit Entry' })).toBeVisible()
  expect(await storedText(ana)).toBe('At the desk\n\nOn the train')
  await expect(line(phone)).toHaveCount(0)
})

test('a tab leaves alone what is being written in another tab, which sends its own text [OWN-20]', async ({
  page,
  context,
  app,
  forgive,
}) => {
  forgive(aboutNetwork)
  const ana = await app.signUp()
  await signIn(page, ana)
  const other = await context.newPage()
  await open(page, `/diary?day=${day}`)
  await open(other, '/dashboard')
  await context.setOffline(true)
  await writeAndSave(page, 'In one tab')
  const saves: string[] = []
  context.on(
    'request',
    (request) => request.url().endsWith('/api/diary/save') && saves.push(request.postData()!),
  )
  await context.setOffline(false)
  await expect(page.getByRole('button', { name: 'Edit Entry' })).toBeVisible()
  await expect(line(other)).toHaveCount(0)
  expect(saves.map((sent) => (JSON.parse(sent) as { content: string }).content)).toEqual(['In one tab'])
  expect(await storedText(ana)).toBe('In one tab')
})

test('the draft of a post that was written without a network is stored when its page is closed [OWN-02 OWN-03]', async ({
  page,
  context,
  app,
  forgive,
}) => {
  forgive(aboutNetwork)
  const ana = await app.signUp()
  await signIn(page, ana)
  await open(page, '/write')
  const text = page.getByLabel('Your text')
  await expect(text).toBeEditable()
  await context.setOffline(true)
  await text.fill('A lamp\n\nin the window')
  await expect(sentLater(page)).toBeVisible()
  await text.blur()
  await expect(line(page)).toHaveText('You are offline. 1 draft waits on this device.')
  await page.close()
  await context.setOffline(false)
  expect(await ana.client.does(listDrafts)).toEqual([])

  const next = await context.newPage()
  await open(next, '/dashboard')
  await expect
    .poll(async () => (await ana.client.does(listDrafts)).map(({ beginning }) => beginning))
    .toEqual([expect.stringContaining('A lamp')])
  await expect.poll(() => keptTexts(next)).toEqual([])
})
