import type { Page } from '@playwright/test'
import { makeWriter, none, oneOfEach } from './five-texts.ts'
import { expect, signIn, test } from './test.ts'

/** Returns a function that sets how many bytes the pages of the app may store in this browser, while the page is open. */
async function quotaOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  return (quotaSize: number) => session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize })
}

/**
 * Fills the bucket of the drafts. A browser computes the room of a bucket again only when the room that it knew of is used up, or
 * after half a minute.
 */
async function fill(page: Page, owner: string) {
  await page.evaluate(async (name) => {
    const { storageBuckets } = navigator as unknown as {
      storageBuckets: { open: (name: string) => Promise<{ indexedDB: IDBFactory }> }
    }
    const opening = (await storageBuckets.open(name)).indexedDB.open('filling')
    opening.onupgradeneeded = () => opening.result.createObjectStore('rows', { autoIncrement: true })
    await new Promise((resolve) => (opening.onsuccess = resolve))
    const isWritten = (size: number) =>
      new Promise<boolean>((resolve) => {
        const rows = opening.result.transaction('rows', 'readwrite')
        rows.objectStore('rows').put('x'.repeat(size))
        rows.oncomplete = () => resolve(true)
        rows.onabort = () => resolve(false)
      })
    for (const size of [65_536, 4096, 256, 1]) while (await isWritten(size));
    opening.result.close()
  }, `drafts-${owner}`)
}

test('a person whose browser has no room left reads so beside each text, and each is sent once when the network is back [OWN-20 R22]', async ({
  app,
  context,
  page,
  forgive,
}) => {
  forgive(/ERR_|^Failed to|TypeError|Quota/)
  const { ana, stored, openTabs } = await makeWriter(app)
  await signIn(page, ana)
  await page.goto('/about')
  const setQuota = await quotaOf(page)
  await setQuota(1_000_000)
  const { diary, note } = await openTabs(context, ['diary', 'note'])
  const both = [diary, note]
  for (const tab of both) {
    await tab.type('Rain')
    await expect(tab.page.getByText('Safe on this device')).toBeVisible()
  }
  await context.setOffline(true)
  await setQuota(1)
  await fill(page, ana.user.id)
  for (const tab of both) {
    await tab.type(' and wind')
    await expect(tab.page.getByText('Not saved, and this browser cannot keep it')).toBeVisible()
    await tab.send()
  }
  for (const { page } of both)
    await expect(page.getByText('Not saved: no connection, try again')).toBeVisible()
  expect(await stored()).toEqual(none)
  await context.setOffline(false)
  const { diary: days, note: notes } = oneOfEach('Rain and wind')
  await expect.poll(stored, { timeout: 30_000 }).toEqual({ ...none, diary: days, note: notes })
})
