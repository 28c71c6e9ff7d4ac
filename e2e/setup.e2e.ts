import { startServers } from '../scripts/testing/servers.ts'
import { examine } from './examine.ts'
import { expect, test } from './test.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test('an operator opens the address that the terminal printed on a phone, makes the first admin account and is the admin; then the address is the 404 page [INST-09 S57]', async ({
  open,
  processes,
  forgive,
}) => {
  forgive(/status of 404/)
  const servers = await startServers({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' }, processes)
  const page = await open(phone)
  try {
    const printed = /http\S+\/setup#([\dA-Z-]{19})/
    await expect.poll(() => servers.output()).toMatch(printed)
    const [, code] = printed.exec(servers.output())!
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''))
    await page.goto(`${servers.url}/setup#${code}`)
    await expect(page.getByLabel('Set-up code')).toHaveValue(code!)
    await examine(page, 'the set-up of an instance')
    await page.setViewportSize(phone.viewport)
    await page.getByLabel('Name').fill('Vera Lind')
    await page.getByLabel('Email').fill('vera@example.org')
    await page.getByLabel('Passcode').fill('lamps and ink 9')
    await page.getByRole('button', { name: 'Make the account' }).click()
    await expect(page).toHaveURL(`${servers.url}/dashboard`)
    await expect(page.getByRole('heading', { name: 'Your house is new' })).toBeVisible()
    expect(asked.filter((address) => address.includes(code!))).toEqual([])

    await page.goto(`${servers.url}/setup#${code}`)
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  } finally {
    await page.close()
    await servers.stop()
  }
})
