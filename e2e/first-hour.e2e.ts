import { getMe, login } from '#contract/account/endpoints.ts'
import { requestRegistration } from '#contract/account/registration/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { startServers } from '../scripts/testing/servers.ts'
import { expect, test } from './test.ts'

const classSize = 30
const headers = { 'x-forwarded-for': '203.0.113.7' }
const passcode = 'inkandpaper7'
const nameOf = (pupil: number) => `Pupil ${String(pupil).padStart(2, '0')}`
const emailOf = (pupil: number) => `pupil${pupil}@example.org`

test('the first hour of an operator: set-up by the code, a name, rules, approval with a question, a class of 30 behind one address, decisions, a suspension, an erased post, and all of it in the audit log [INST-01 INST-02 INST-04 INST-09 INST-13 INST-16]', async ({
  page,
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
    expect(refused.length).toBeGreaterThan(0)
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
    ] as const) {
      const row = page.getByRole('listitem', { name: `Sign-up of ${nameOf(pupil)}` })
      await row.getByRole('button', { name: decision }).click()
      if (decision === 'Refuse')
        await page.getByRole('alertdialog').getByRole('button', { name: decision }).click()
      await toast(words)
    }
    await expect(page.getByRole('listitem', { name: /^Sign-up of Pupil/ })).toHaveCount(classSize - 3)

    const [first, second, third] = [client(), client(), client()]
    await first.does(login, { input: { email: emailOf(1), password: passcode } })
    await second.does(login, { input: { email: emailOf(2), password: passcode } })
    expect((await third.tries(login, { input: { email: emailOf(3), password: passcode } })).status).toBe(403)
    const post = { authorName: nameOf(2), type: 'premium' as const, content: 'Pupil 01 is a fool.' }
    const { id } = await second.does(submitPost, { input: post })

    await open('/admin-users')
    await page.getByRole('button', { name: `Suspend ${nameOf(2)}` }).click()
    const suspension = page.getByRole('dialog', { name: `Suspend ${nameOf(2)}` })
    await suspension.getByLabel(/^Reason/).fill('You insulted a neighbour.')
    await suspension.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click()
    await toast(`${nameOf(2)} is suspended.`)
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
      ['Sign-up approved', 2],
      ['Sign-up refused', 1],
      ['Person suspended', 1],
      ['Post erased', 1],
    ] as const)
      await expect(log.getByText(action, { exact: true })).toHaveCount(count)
    await expect(log).not.toContainText('fool')
  } finally {
    await page.close()
    await servers.stop()
  }
})
