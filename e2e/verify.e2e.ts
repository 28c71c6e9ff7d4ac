import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { verifyPath } from '#contract/rooms/credit/paths.ts'
import { ana, aSealedStory } from '#contract/rooms/credit/testing.ts'
import { controlsUnder44 } from './controls.ts'
import { examine } from './examine.ts'
import { test } from './finished.ts'
import { asVisitor, expect } from './test.ts'

const { seal, receipt } = aSealedStory()
const fileOf = (name: string, content: object) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(content)),
})
const sealFile = fileOf('seal.json', seal)
const receiptFile = fileOf('receipt.json', receipt)
const choose = (page: Page, ...files: (typeof sealFile)[]) =>
  page.locator('input[type=file]').setInputFiles(files)
const verdict = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

test('a file of one page verifies a story without a network and requests nothing [CRED-05 CRED-06 CRED-07]', async ({
  context,
}) => {
  await context.setOffline(true)
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const address = pathToFileURL(join(import.meta.dirname, '../dist/web/zimmer-verify.html')).href
  await page.goto(address)
  await choose(page, sealFile, receiptFile)
  await expect(verdict(page, 'Verified')).toBeVisible()
  await expect(verdict(page, 'Verified')).toHaveCSS('color', 'rgb(44, 106, 63)')
  await expect(page.getByText('Written by the owner of the receipt: passages 1, 3.')).toBeVisible()
  await choose(page, fileOf('seal.json', { ...seal, passages: seal.passages.toReversed() }))
  await expect(verdict(page, 'Not verified: passage 1 is false')).toBeVisible()
  const other = aSealedStory({ passages: [{ author: ana, text: 'No.' }] })
  await choose(page, sealFile, fileOf('receipt.json', other.receipt))
  await expect(verdict(page, 'This server has signed two histories')).toBeVisible()
  await expect(page.getByRole('main').getByRole('heading', { name: 'What it cannot prove' })).toBeVisible()
  expect(requests).toEqual([address])
})

test('a visitor saves the seal of a finished story and verifies it, without `crypto.subtle` and without a call [CRED-03 CRED-05 CRED-11]', async ({
  open,
  finished,
}) => {
  const page = await open({ baseURL: finished.url })
  await asVisitor(page)
  await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }))
  await page.goto(`/stories/${finished.rooms.short}`)
  const region = page.getByRole('region', { name: 'Seal' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    region.getByRole('link', { name: 'Save the seal' }).click(),
  ])
  const fingerprint = /[0-9a-f]{4}( [0-9a-f]{4}){3}/.exec(await region.innerText())![0]
  await region.getByRole('link', { name: 'Verify a story' }).click()
  await expect(page).toHaveURL(verifyPath)
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/zimmers')) calls.push(request.url())
  })
  const buffer = await readFile(await download.path())
  await choose(page, { name: 'seal.json', mimeType: 'application/json', buffer })
  await expect(verdict(page, 'Verified')).toBeVisible()
  await expect(page.getByText(`Seal ${fingerprint}.`)).toBeVisible()
  expect(calls).toEqual([])
  await examine(page, 'the page that verifies')
})

test('a person on a phone hits every control of the page that verifies with a thumb [CRED-05]', async ({
  open,
  finished,
}) => {
  const viewport = { width: 320, height: 600 }
  const page = await open({ baseURL: finished.url, viewport, hasTouch: true, isMobile: true })
  await page.goto(verifyPath)
  await expect(page.getByRole('heading', { level: 1, name: 'Verify a story' })).toBeVisible()
  const { measured, small } = await controlsUnder44(page)
  expect(measured).toBeGreaterThan(1)
  expect(small).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})
