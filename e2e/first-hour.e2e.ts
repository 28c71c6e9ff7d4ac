import type { Page } from '@playwright/test'
import { getMe, login } from '#contract/account/endpoints.ts'
import { requestRegistration } from '#contract/account/registration/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { startServers } from '../scripts/testing/servers.ts'
import { expect, shareSession, test } from './test.ts'

/** Two more than may ask from one address in ten minutes. */
const classSize = 12
const headers = { 'x-forwarded-for': '203.0.113.7' }
const passcode = 'inkandpaper7'
const nameOf = (pupil: number) => `Pupil ${String(pupil).padStart(2, '0')}`
const emailOf = (pupil: number) => `pupil${pupil}@example.org`

test('the first hour of an operator: set-up by the code, a name, rules, approval with a question, a class of 12 behind one address, decisions, a moderator who suspends somebody, a suspension by the admin, an erased post, and all of it in the audit log [INST-01 INST-02 INST-04 INST-05 INST-09 INST-13 INST-16]', async ({
  page,
  open: openBrowser,
  forgive,
}) => {
  // The article whose text is erased.
  forgive(/Failed to load \/api\/posts\/.* 404: .*PostNotFound/)
  // The test is the proxy that tells the address of the class: limits by address do not hold on the machine itself.
  const proxy = { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' }
  const servers = await startServers({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '', ...proxy }, 1)
  const open = (path: string) => page.goto(servers.url + path)
  const toast = (words: string) => expect(page.getByText(words, { exact: true }).first()).toBeVisible()
  const client = () => new HttpClient(() => servers.url)
  try {
    await page.setViewportSize({ width: 1440, height: 900 })
    const printed = /http\S+(\/setup#[\dA-Z-]{19})/
    await expect.poll(() => servers.output()).toMatch(printed)
    await open(printed.exec(servers.output())![1]!)
    await page.getByLabel('Name').fill('Vera Lind')
    await page.getByLabel('Email').fill('vera@example.org')
    await page.getByLabel('Passcode').fill(passcode)
    await page.getByRole('button', { name: 'Make the account' }).click()
    await expect(page.getByRole('heading', { name: 'Your house is new' })).toBeVisible()

    await open('/admin?part=instance')
    await page.getByLabel('Name', { exact: true }).fill('The Mill')
    await page.getByLabel('Rules', { exact: true }).fill('Be kind to each other.')
    await page.getByRole('button', { name: 'Save' }).click()
    await toast('The settings are saved.')
    await open('/admin?part=sign-ups')
    await page.getByRole('radio', { name: /^With approval/ }).check()
    await page.getByLabel('Question').fill('Which class are you in?')
    await page.getByRole('button', { name: 'Save the question' }).click()
    await toast('Saved')

    const ask = async (pupil: number) => {
      const input = { name: nameOf(pupil), email: emailOf(pupil), passcode, agrees: true }
      const writingSample = 'I write in the evening, at the kitchen table.'
      const answer = 'The third.'
      return (
        await client().tries(requestRegistration, { headers, input: { ...input, writingSample, answer } })
      ).status
    }
    const pupils = Array.from({ length: classSize }, (_, index) => index + 1)
    const refused: number[] = []
    for (const pupil of pupils) if ((await ask(pupil)) !== 201) refused.push(pupil)
    expect(refused).toEqual([11, 12])
    await open('/admin?part=limits')
    await page.getByLabel('Address or network').fill('203.0.113.7')
    await page.getByLabel('Up to how many times').selectOption('8')
    await page.getByRole('radio', { name: 'In 8 hours' }).check()
    await page.getByRole('button', { name: 'Add' }).click()
    await expect(page.getByRole('list', { name: 'Allowances' })).toContainText('203.0.113.7')
    for (const pupil of refused) expect(await ask(pupil)).toBe(201)

    await open('/admin?part=sign-ups')
    await expect(page.getByRole('listitem', { name: /^Sign-up of Pupil/ })).toHaveCount(classSize)
    for (const [pupil, decision, words] of [
      [1, 'Approve', `${nameOf(1)} can sign in now.`],
      [2, 'Approve', `${nameOf(2)} can sign in now.`],
      [3, 'Refuse', `The sign-up of ${nameOf(3)} is refused.`],
      [4, 'Approve', `${nameOf(4)} can sign in now.`],
    ] as const) {
      const row = page.getByRole('listitem', { name: `Sign-up of ${nameOf(pupil)}` })
      await row.getByRole('button', { name: decision }).click()
      if (decision === 'Refuse')
        await page.getByRole('alertdialog').getByRole('button', { name: decision }).click()
      await toast(words)
    }
    await expect(page.getByRole('listitem', { name: /^Sign-up of Pupil/ })).toHaveCount(classSize - 4)

    const [first, second, third, fourth] = [client(), client(), client(), client()]
    const signIn = (pupil: number, by: HttpClient) =>
      by.tries(login, { input: { email: emailOf(pupil), password: passcode } })
    expect((await signIn(1, first)).status).toBe(200)
    expect((await signIn(2, second)).status).toBe(200)
    expect((await signIn(3, third)).status).toBe(403)
    expect((await signIn(4, fourth)).status).toBe(200)
    const post = { authorName: nameOf(2), type: 'premium' as const, content: 'Pupil 01 is a fool.' }
    const { id } = await second.does(submitPost, { input: post })

    const suspend = async (by: Page, pupil: number) => {
      await by.getByRole('button', { name: `Suspend ${nameOf(pupil)}` }).click()
      const suspension = by.getByRole('dialog', { name: `Suspend ${nameOf(pupil)}` })
      await suspension.getByLabel(/^Reason/).fill('You insulted a neighbour.')
      await suspension.getByRole('button', { name: 'Suspend' }).click()
      await by.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click()
      await expect(by.getByText(`${nameOf(pupil)} is suspended.`).first()).toBeVisible()
    }
    await open('/admin-users')
    await page.getByRole('button', { name: `Make ${nameOf(1)} a moderator` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make a moderator' }).click()
    await toast(`${nameOf(1)} is a moderator`)
    // The right ends the session that the pupil had.
    expect((await first.tries(getMe)).status).toBe(401)
    expect((await signIn(1, first)).status).toBe(200)
    const tab = await openBrowser()
    await shareSession(tab, { client: first })
    await tab.goto(`${servers.url}/admin`)
    await tab.getByRole('tab', { name: 'Suspensions' }).click()
    await tab.getByRole('searchbox', { name: 'Search people' }).fill(nameOf(4))
    await suspend(tab, 4)
    await expect(tab.getByText(emailOf(4))).toHaveCount(0)
    await tab.close()
    const ended = await signIn(4, fourth)
    expect([ended.status, await ended.text()]).toEqual([
      403,
      expect.stringContaining('You insulted a neighbour.'),
    ])

    await suspend(page, 2)
    expect((await second.tries(getMe)).status).toBe(401)

    await open(`/posts/${id}`)
    await page.getByRole('button', { name: 'Erase this post' }).click()
    const erasing = page.getByRole('dialog', { name: 'Erase this post for good?' })
    await erasing.getByLabel(/^Reason/).fill('It insults a neighbour.')
    await erasing.getByRole('checkbox').check()
    await erasing.getByRole('button', { name: 'Erase for good' }).click()
    await expect(erasing).toBeHidden()
    expect((await page.request.get(`${servers.url}/posts/${id}`)).status()).toBe(404)

    await open('/admin?part=log')
    const log = page.getByRole('list', { name: 'Entries of the audit log' })
    // The name with the rules, the approval and the question are three changes.
    for (const [action, count] of [
      ['Instance changed', 3],
      ['Allowance added', 1],
      ['Sign-up approved', 3],
      ['Sign-up refused', 1],
      ['Made a moderator', 1],
      ['Person suspended', 2],
      ['Post erased', 1],
    ] as const)
      await expect(log.getByText(action, { exact: true })).toHaveCount(count)
    await expect(log).not.toContainText('fool')
  } finally {
    await page.close()
    await servers.stop()
  }
})
