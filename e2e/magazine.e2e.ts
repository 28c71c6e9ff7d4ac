import { readFile } from 'node:fs/promises'
import { examine } from './examine.ts'
import { asAdmin, asVisitor, expect, test } from './test.ts'

// A server whose other files expect nothing of the magazine.
test.use({ settings: { COMPANY_NAME: 'Back office' } })

const content = Buffer.from(`%PDF-1.7\n${'A long night. '.repeat(50_000)}\n%%EOF\n`)
const issue = { name: 'Issue 1.pdf', mimeType: 'application/pdf', buffer: content }

test('an admin uploads an issue of the magazine by keyboard, and a reader downloads the same bytes [SET-08 SET-09 UPL-01 UPL-02 UPL-03 UPL-04 UPL-05 PERM-14]', async ({
  page,
  open,
  app,
}) => {
  const reader = await open()
  await asVisitor(reader)
  await reader.goto(`${app.url}/settings#part-literary-magazine`)
  await expect(reader.getByText('No issue yet')).toBeVisible()

  await asAdmin(page)
  await page.goto('/settings#part-literary-magazine')
  const magazine = page.getByRole('region', { name: 'Literary Magazine' })
  const field = magazine.getByLabel('New issue')
  await field.setInputFiles({ name: 'night.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG') })
  await page.keyboard.press('Tab')
  await magazine.getByRole('button', { name: 'Upload PDF' }).focus()
  await page.keyboard.press('Enter')
  await expect(magazine.getByRole('alert')).toHaveText('Please select a PDF file')
  await expect(field).toBeFocused()
  await examine(page, 'a refused file', magazine)

  await field.setInputFiles(issue)
  await magazine.getByRole('button', { name: 'Upload PDF' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Litmag uploaded successfully!').first()).toBeVisible()
  await expect(magazine.getByRole('link', { name: 'Download the current issue (PDF)' })).toBeVisible()

  await reader.reload()
  const arriving = reader.waitForEvent('download')
  await reader.getByRole('link', { name: 'Download the current issue (PDF)' }).click()
  const download = await arriving
  expect(download.suggestedFilename()).toBe('literary-magazine.pdf')
  expect(await readFile(await download.path())).toEqual(content)
  await examine(reader, 'an issue', reader.getByRole('region', { name: 'Literary Magazine' }))
})

test('an admin cancels a slow upload; there is no issue then, and the next press uploads it [SET-09 S34]', async ({
  page,
  context,
}) => {
  await asAdmin(page)
  await page.goto('/settings#part-literary-magazine')
  const magazine = page.getByRole('region', { name: 'Literary Magazine' })
  const before = await (await page.request.get('/api/litmag')).json()
  const network = await context.newCDPSession(page)
  const upload = (bytesPerSecond: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    })
  await upload(50_000)
  await magazine.getByLabel('New issue').setInputFiles(issue)
  await magazine.getByRole('button', { name: 'Upload PDF' }).click()
  await expect(magazine.getByRole('progressbar', { name: 'Upload' })).toBeVisible()
  await magazine.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(magazine.getByRole('progressbar')).toHaveCount(0)
  await expect(magazine.getByLabel('New issue')).toBeFocused()
  expect(await (await page.request.get('/api/litmag')).json()).toEqual(before)
  await upload(-1)
  await magazine.getByRole('button', { name: 'Upload PDF' }).click()
  await expect(page.getByText('Litmag uploaded successfully!').first()).toBeVisible()
})
