import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { examine } from './examine.ts'
import { expect, signIn, test } from './test.ts'

test('a person makes a token, a page of another site reads the diary with it, and not after its end [INST-11 S26]', async ({
  page,
  open,
  app,
  forgive,
}) => {
  // The other page asks with an ended token, and with cookies.
  forgive(/401|CORS|Failed to (fetch|load)/)
  const ana = await app.signUp()
  await ana.client.does(saveDiaryEntry, { input: { date: '2025-06-10', content: 'Rain.' } })
  await signIn(page, ana)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings')
  const part = page.getByRole('region', { name: 'API tokens' })
  await part.getByRole('button', { name: 'Make a token' }).click()
  await expect(part.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Reading machine')
  await part.getByLabel('Read and write your diary and calendar').check()
  await examine(page, 'the form of a new token', part)
  await part.getByRole('button', { name: 'Make token' }).click()
  const field = part.getByLabel('Your token "Reading machine"')
  await expect(field).toBeFocused()
  await examine(page, 'a new token', part)
  const token = await field.inputValue()

  const site = createServer((_request, answer) =>
    answer.setHeader('content-type', 'text/html').end('<p>A site'),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const other = await open()
  await other.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  const read = (headers: Record<string, string>, credentials: RequestCredentials) =>
    other.evaluate(
      async ({ url, ...options }) => {
        try {
          const answer = await fetch(url, options)
          return [answer.status, await answer.text(), answer.headers.get('x-request-id') !== null]
        } catch {
          return 'blocked'
        }
      },
      { url: `${app.url}/api/diary`, headers, credentials },
    )
  const bearer = { authorization: `Bearer ${token}` }
  expect(await read(bearer, 'omit')).toEqual([200, expect.stringContaining('Rain.'), true])
  expect(await read({}, 'include')).toBe('blocked')
  expect(await read(bearer, 'include')).toBe('blocked')

  await page.reload()
  await expect(part.getByRole('listitem').filter({ hasText: 'Reading machine' })).toContainText('Last used')
  await expect(field).toHaveCount(0)
  await part.getByRole('button', { name: 'End the token Reading machine' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End token' }).click()
  await expect(page.getByText('The token has ended.')).toBeVisible()
  expect(await read(bearer, 'omit')).toEqual([401, expect.stringContaining('TokenRefused'), true])
  site.close()
})
