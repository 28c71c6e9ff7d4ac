import type { Page } from '@playwright/test'
import { getDiaryEntry } from '#contract/diary/endpoints.ts'
import { day, save, sheet, write } from './diary.ts'
import { rowsOnDevice } from './on-device.ts'
import { bar, expect, type Person, signIn, test } from './test.ts'

/** Leaves a draft and a kept answer as a program without buckets does: in the storage of the site. */
async function leaveOlderStores(page: Page, { user }: Person) {
  await page.goto('/theme.js')
  await page.evaluate(
    async ([id, place]) => {
      const put = (name: string, store: string, value: unknown, key: string[]) =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open(name, 1)
          opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(store))
          opening.addEventListener('success', () => {
            const writing = opening.result.transaction(store, 'readwrite')
            writing.objectStore(store).put(value, key)
            writing.addEventListener('complete', () => {
              opening.result.close()
              resolve()
            })
          })
        })
      await put('drafts', 'drafts', { text: 'Of an older program', base: null }, [id, place, 'closed'])
      await put('zimmer', 'answers', 'An answer', [id])
    },
    [user.id, `diary/${day}`] as const,
  )
}

const textsOf = async (page: Page) =>
  (((await rowsOnDevice(page))['drafts/drafts'] ?? []) as { text: string }[]).map(({ text }) => text)
const databasesOfSite = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))

test('a text that an older program left unsaved is in the editor, is typed on, saved, and then gone from its store [OWN-04 OWN-22]', async ({
  app,
  page,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  await leaveOlderStores(page, ana)
  await page.goto(`/diary?day=${day}`)
  await expect(sheet(page)).toHaveValue('Of an older program')
  await expect(page.getByText('Safe on this device')).toBeVisible()
  await expect.poll(() => textsOf(page)).toEqual(['Of an older program'])
  await expect.poll(() => databasesOfSite(page)).toEqual(['drafts'])
  await write(page, 'Of an older program, and of this one')
  await save(page).click()
  await expect(page.getByRole('button', { name: 'Edit Entry' })).toBeVisible()
  const { content } = await ana.client.does(getDiaryEntry, { params: { day } })
  expect(content).toBe('Of an older program, and of this one')
  await expect.poll(() => textsOf(page)).toEqual([])
})

test('a log-out also removes what an older program has left [OWN-05 OWN-21]', async ({ app, page }) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  await leaveOlderStores(page, ana)
  await page.goto('/settings')
  await bar(page).getByRole('button', { name: 'Log Out' }).click()
  await page.getByRole('button', { name: 'Log out without saving' }).click()
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  expect(await textsOf(page)).toEqual([])
  expect(await databasesOfSite(page)).toEqual(['drafts'])
})

test('a writer goes on in one tab after all unsaved text was removed in another one, and loses nothing of it [OWN-05 R22]', async ({
  app,
  page,
  context,
}) => {
  const ana = await app.signUp()
  await signIn(page, ana)
  await page.goto(`/diary?day=${day}`)
  await write(page, 'Rain')
  const other = await context.newPage()
  await other.goto('/settings')
  await other.getByRole('button', { name: 'Remove from this device' }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: 'Remove unsaved text too' }).click()
  await expect(other.getByText('Removed. What you read from now on is kept again.')).toBeVisible()
  expect(await textsOf(other)).toEqual([])
  await write(page, 'Rain and wind')
  await expect.poll(() => textsOf(other)).toEqual(['Rain and wind'])
  await page.close()
  await other.goto(`/diary?day=${day}`)
  await expect(sheet(other)).toHaveValue('Rain and wind')
})
