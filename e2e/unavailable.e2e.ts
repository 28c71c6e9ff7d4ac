import type { Page } from '@playwright/test'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createDraft, saveDraft } from '#contract/drafts/endpoints.ts'
import { commonErrors } from '#contract/errors.ts'
import { makeWriter, none, oneOfEach } from './five-texts.ts'
import { startProxy } from './proxy.ts'
import { bar, expect, signIn, test as base } from './test.ts'

/** What answers 503: our server, or a proxy before it. */
interface Answer {
  headers: Record<string, string>
  body: string
}

const ofServer: Answer = {
  headers: { 'content-type': 'application/json', 'retry-after': '60' },
  body: JSON.stringify({ code: 'Unavailable', error: commonErrors.Unavailable.error }),
}
const ofProxy: Answer = { headers: { 'content-type': 'text/html' }, body: '<h1>503 Service Unavailable</h1>' }

interface Front {
  url: string
  /** The answer to all requests while the server is unavailable, otherwise null. */
  answer: Answer | null
  /** The changes that were passed to the server. */
  changes: string[]
}

const test = base.extend<{ front: Front }>({
  front: async ({ app }, run) => {
    const front: Front = { url: '', answer: null, changes: [] }
    using proxy = await startProxy(app, ({ method, url = '' }, answer) => {
      if (front.answer !== null) {
        answer.writeHead(503, front.answer.headers).end(front.answer.body)
        return true
      }
      if (method !== 'GET') front.changes.push(`${method} ${url}`)
      return false
    })
    front.url = proxy.url
    await run(front)
  },
  baseURL: ({ front }, run) => run(front.url),
})

// Two processes have a proxy of their own, and take calls only from its address.
test.use({ processes: 1 })

test.beforeEach(({ forgive }) => forgive(/503|^Failed to|^Object$|Event|TypeError/))

const minute = 60_000
const waits = (page: Page) => page.getByText('Safe on this device, will be sent')
const line = (page: Page) => page.getByRole('button', { name: /on this device/ })

test('while the server answers 503 for a minute, a person goes on writing in five places, reads what becomes of each text, and each is sent once afterwards [OWN-02 OWN-03 OWN-20 R22]', async ({
  app,
  context,
  front,
  page,
}) => {
  const { ana, stored, openTabs } = await makeWriter(app)
  await context.clock.install()
  await signIn(page, ana)
  const { diary, note, draft, message, passage } = await openTabs(context)
  const all = [diary, note, draft, message, passage]
  front.answer = ofServer
  for (const tab of all) {
    await tab.type('Rain')
    await tab.send()
  }
  await expect(note.page.getByRole('alertdialog')).toContainText('Failed to save note')
  await note.page.getByRole('button', { name: 'OK' }).click()
  for (const { page } of [diary, note, draft]) await expect(waits(page)).toBeVisible()
  const reason = commonErrors.Unavailable.error
  await expect(message.page.getByText(`${reason} Your message is still here.`)).toBeVisible()
  // Any refusal of a passage shows this alert (ERR-20).
  await expect(passage.page.getByRole('alertdialog')).toContainText('You must be a member of this room')
  await passage.page.getByRole('button', { name: 'OK' }).click()
  await expect(passage.page.getByText(`${reason} Your passage is still here.`)).toBeVisible()
  await expect(line(diary.page)).toBeVisible()

  for (const tab of all) await tab.type(' and wind')
  await context.clock.fastForward(minute / 2)
  for (const { page } of [diary, note, draft]) await expect(waits(page)).toBeVisible()
  for (const tab of all) await expect(tab.field).toHaveValue('Rain and wind')
  expect(await stored()).toEqual(none)

  front.changes = []
  front.answer = null
  await context.clock.fastForward(minute)
  for (const { page } of [diary, note, draft]) await expect(page.getByText(/^Saved/)).toBeVisible()
  for (const tab of [message, passage]) await tab.send()
  await expect.poll(stored).toEqual(oneOfEach('Rain and wind'))
  for (const { page } of all) {
    await expect(line(page)).toHaveCount(0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  // A day and a note are sent twice: the text that had no answer, and then the newer one.
  const sent = ({ method, path }: { method: string; path: string }) =>
    front.changes.filter((change) => change.startsWith(`${method} ${path}`)).length
  expect([saveDiaryEntry, saveCalendarNote].map(sent)).toEqual([2, 2])
  expect([createDraft, { ...saveDraft, path: saveDraft.path.replace(':id', '') }].map(sent)).toEqual([1, 1])
})

test.describe('with a worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a person who loads the page again while a proxy answers 503 is still signed in and writes on, and the text is sent afterwards [OWN-01 OWN-02 OWN-20]', async ({
    app,
    context,
    front,
    page,
  }) => {
    const { ana, stored, openTabs } = await makeWriter(app)
    await context.clock.install()
    await signIn(page, ana)
    const { diary } = await openTabs(context, ['diary'])
    await diary.page.evaluate(() => navigator.serviceWorker.ready.then(() => {}))
    await diary.type('Rain')
    front.answer = ofProxy
    await diary.send()
    await expect(waits(diary.page)).toBeVisible()
    await diary.page.reload()
    await expect(diary.field).toHaveValue('Rain')
    await diary.type(' and wind')
    await expect(waits(diary.page)).toBeVisible()
    await expect(bar(diary.page)).toContainText('Ana Lima')
    front.answer = null
    await context.clock.fastForward(minute)
    await expect.poll(async () => (await stored()).diary, { timeout: 20_000 }).toEqual(['Rain and wind'])

    // The answer of an overloaded server is shown, because the page would send it more calls.
    front.answer = ofServer
    await page.goto('/diary')
    await expect(page.getByText(commonErrors.Unavailable.error)).toBeVisible()
  })
})
