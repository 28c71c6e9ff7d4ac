import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { login, register } from '#contract/account/endpoints.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import {
  administrator,
  environment,
  removeDataFolder,
  startServer,
} from '../scripts/testing/running-server.ts'
import { copyUsedFolder } from '../scripts/testing/used-folder.ts'
import { expect, shareSession, test as base } from './test.ts'

const cleosKey = { email: 'cleo@example.org', password: 'a long second passcode' }

interface House {
  url: string
  ana: HttpClient
  boss: HttpClient
  cleo: HttpClient
}

interface Desks extends House {
  /** Opens a page in a browser of this person. */
  enter: (client: HttpClient, path: string) => Promise<Page>
}

/** A server of its own, which both tests share: a command makes Cleo its second admin. */
const test = base.extend<{ desks: Desks }, { house: House }>({
  house: [
    async ({ settings }, run) => {
      const dataDir = await copyUsedFolder()
      const server = await startServer({ dataDir, settings })
      const client = () => new HttpClient(() => server.url)
      const [ana, boss, cleo] = [client(), client(), client()]
      const anasKey = { email: 'ana@example.org', password: 'secret1' }
      await ana.does(register, { input: { ...anasKey, firstName: 'Ana', lastName: 'Lima' } })
      await boss.does(login, { input: administrator })
      await cleo.does(register, { input: { ...cleosKey, firstName: 'Cleo', lastName: 'Reed' } })
      const command = ['server/zimmer.ts', 'admin', 'grant', cleosKey.email]
      const granting = promisify(execFile)('node', command, { env: environment(dataDir) })
      granting.child.stdin?.end(cleosKey.password)
      await granting
      await cleo.does(login, { input: cleosKey })
      await run({ url: server.url, ana, boss, cleo })
      await server.end('SIGTERM')
      await removeDataFolder(dataDir)
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  desks: async ({ open, house }, run) => {
    const enter = async (person: HttpClient, path: string) => {
      const page = await open()
      await shareSession(page, { client: person })
      await page.goto(`${house.url}${path}`)
      return page
    }
    await run({ ...house, enter })
  },
})

const queueOf = (desk: Page) => desk.getByRole('region', { name: 'Pending submissions' })

test('two admins decide about the same posts: the second is told who was first, the queues of both show what is left, and the author reads the decisions [ADM-18 ADM-07 S46]', async ({
  desks: { ana, boss, cleo, enter },
}) => {
  const submit = (authorName: string) =>
    ana.does(submitPost, { input: { content: `A letter of ${authorName}.`, authorName } })
  for (const author of ['Ada Reed', 'Bela Reed', 'Dora Reed']) await submit(author)
  const [one, other] = [await enter(boss, '/admin'), await enter(cleo, '/admin')]
  for (const desk of [one, other]) await expect(desk.getByText('3 posts are waiting')).toBeVisible()

  await queueOf(one).getByRole('button', { name: 'Decide with a reason about the post of Ada Reed' }).click()
  const dialog = one.getByRole('dialog', { name: 'The post of Ada Reed' })
  await dialog.getByLabel('Reason (optional)').fill('A fine opening.')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(one.getByText('2 posts are waiting')).toBeVisible()
  await queueOf(other).getByRole('button', { name: 'Approve the post of Ada Reed' }).click()
  // The decision is sent after 10 s, within which it can be undone.
  await expect(
    other.getByText('Admin has already decided about this post. Nothing was changed.').first(),
  ).toBeVisible({ timeout: 20_000 })
  await expect(other.getByText('2 posts are waiting')).toBeVisible()

  await queueOf(other)
    .getByRole('button', { name: 'Decide with a reason about the post of Bela Reed' })
    .click()
  const setAside = other.getByRole('dialog', { name: 'The post of Bela Reed' })
  await setAside.getByLabel('Reason (optional)').fill('It names a neighbour.')
  await setAside.getByRole('button', { name: 'Set aside' }).click()
  await expect(other.getByText('1 post is waiting')).toBeVisible()
  await queueOf(one).getByRole('checkbox', { name: 'Select the post of Bela Reed' }).check()
  await queueOf(one).getByRole('button', { name: 'Approve selected (1)' }).click()
  await expect(
    one.getByText('Cleo Reed has already decided about this post. Nothing was changed.').first(),
  ).toBeVisible()
  for (const desk of [one, other]) {
    await expect(desk.getByText('1 post is waiting')).toBeVisible()
    await expect(queueOf(desk).getByRole('listitem')).toHaveCount(1)
    await expect(queueOf(desk).getByRole('listitem')).toContainText('Dora Reed')
  }

  const author = await enter(ana, '/settings#your-posts')
  const own = author.getByRole('list', { name: 'Your posts' }).getByRole('listitem')
  const decided = (text: string) => own.filter({ hasText: text })
  await expect(decided('A letter of Ada Reed.')).toContainText('Published')
  await expect(decided('A letter of Ada Reed.')).toContainText('A fine opening.')
  await expect(decided('A letter of Bela Reed.')).toContainText('Set aside')
  await expect(decided('A letter of Bela Reed.')).toContainText('It names a neighbour.')
  await expect(decided('A letter of Dora Reed.')).toContainText('reviewed within a week')
})

test('two admins close the same report: the second is told so, keeps the typed note, and reads the outcome of the first [PPL-12]', async ({
  desks: { ana, boss, cleo, enter },
}) => {
  const input = { content: 'A letter about a neighbour.', authorName: 'Dora Reed' }
  const { id } = await boss.does(submitPost, { input })
  await boss.does(approvePost, { params: { id } })
  await ana.does(reportAbuse, { input: { kind: 'post', targetId: id, reason: 'It names me.' } })
  const [one, other] = [await enter(boss, '/admin'), await enter(cleo, '/admin')]
  const dialogs = []
  for (const [desk, note] of [
    [one, 'I wrote to Dora.'],
    [other, 'Nothing to see.'],
  ] as const) {
    await desk.getByRole('link', { name: 'Reports of readers' }).click()
    await desk.getByRole('button', { name: /^Close report/ }).click()
    const dialog = desk.getByRole('dialog', { name: 'Close this report' })
    await dialog.getByRole('textbox').fill(note)
    dialogs.push(dialog)
  }
  const [first, second] = dialogs as [(typeof dialogs)[0], (typeof dialogs)[0]]
  await first.getByRole('radio', { name: 'Author warned' }).check()
  await first.getByRole('button', { name: 'Close report' }).click()
  await expect(first).toHaveCount(0)

  await second.getByRole('radio', { name: /^Hide it/ }).check()
  await second.getByRole('button', { name: 'Close report' }).click()
  await expect(second.getByRole('alert').getByText('Admin has closed this report.')).toBeVisible()
  await expect(second.getByRole('textbox')).toHaveValue('Nothing to see.')
  await expect(second.getByRole('button', { name: 'Close report' })).toBeDisabled()
  await second.getByRole('button', { name: 'Cancel' }).click()
  for (const desk of [one, other]) {
    const report = desk.getByRole('listitem').filter({ hasText: 'It names me.' })
    await expect(report).toContainText('Author warned · Admin')
    await expect(report).toContainText('I wrote to Dora.')
    await expect(report.getByRole('button', { name: /^Close report/ })).toHaveCount(0)
  }
})
