import type { Page } from '@playwright/test'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createDraft } from '#contract/drafts/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { makeRoom } from './people.ts'
import { type App, expect, shareSession, test } from './test.ts'
import { giveNetworkBack, takeNetwork } from './without-server.ts'

/** Writes one text of each kind, each with the mark. */
async function writeAll(app: App, mark: string) {
  const ana = await app.signUp()
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
  const days = ['2025-06-08', '2025-06-09', '2025-06-10']
  for (const date of days)
    await ana.client.does(saveDiaryEntry, { input: { date, content: `A diary day ${date} ${mark}` } })
  await ana.client.does(saveCalendarNote, { input: { date: days[2]!, note: `A note ${mark}` } })
  const draft = await ana.client.does(createDraft, { input: { content: `A draft ${mark}` } })
  await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
  await ben.client.does(addFriend, { input: { friendUserId: ana.user.id } })
  await ben.client.does(sendMessage, {
    input: { receiverId: ana.user.id, content: `A message ${mark}`, messageType: 'text' },
  })
  const room = await makeRoom(ana, { isPublic: false })
  await ana.client.does(sendPassage, { params: { id: room.id }, input: { content: `A passage ${mark}` } })
  return { ana, ben, room, draft }
}

type Written = Awaited<ReturnType<typeof writeAll>>

/** The pages with these texts, and what names the row of each. */
const places = ({ ben, room, draft }: Written) => [
  { path: '/diary?view=paper', text: /A diary day 2025-06-10/, row: '/api/diary' },
  { path: '/calendar?day=2025-06-10', text: /A note/, row: '/api/calendar' },
  { path: `/messages?friend=${ben.user.id}`, text: /A message/, row: '/api/messages/conversation/' },
  { path: `/zimmers?view=rooms&room=${room.id}`, text: /A passage/, row: `/api/zimmers/${room.id}/messages` },
  { path: '/writing', text: /A draft/, row: '/api/drafts?' },
  { path: `/write/${draft.id}`, text: /A draft/, row: `/api/drafts/${draft.id}` },
]

/** Opens each page, and waits until the device keeps what they have shown. */
async function readAll(page: Page, written: Written) {
  for (const { path, text, row } of places(written)) {
    await page.goto(path)
    await expectText(page, text)
    await expect.poll(() => keptRows(page)).toContain(row)
  }
}

/** A text of the page, or of a field. */
async function expectText(page: Page, text: RegExp) {
  const found = page
    .getByRole('main')
    .getByText(text)
    .or(page.getByRole('textbox').filter({ hasText: text }))
  const field = page.locator('textarea')
  await expect
    .poll(async () => {
      const fields = await field.evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value))
      return (await found.count()) > 0 || fields.some((value) => text.test(value))
    })
    .toBe(true)
}

/** All rows of the database of this device, as one text. */
const keptRows = (page: Page) =>
  page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name)
    if (!names.includes('zimmer')) return ''
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error!))
      })
    const database = await done(indexedDB.open('zimmer'))
    const rows = []
    for (const store of ['days', 'answers'])
      rows.push(...(await done(database.transaction(store).objectStore(store).getAll())))
    database.close()
    return JSON.stringify(rows)
  })

test('a person without a network opens diary, calendar, conversation, room, drafts, reports and settings as they were read before [OWN-02]', async ({
  app,
  page,
  forgive,
}) => {
  forgive(/ERR_INTERNET_DISCONNECTED|Failed to (load|fetch)|could not be/)
  const written = await writeAll(app, 'by the lamp')
  await shareSession(page, written.ana)
  await readAll(page, written)
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'Signed in on' })).toBeVisible()
  await expect.poll(() => keptRows(page)).toContain('/api/me/sessions')

  await takeNetwork(page.context())
  for (const { path, text } of places(written)) {
    await page.goto(path)
    await expectText(page, text)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  }
  await page.goto('/reports')
  await expect(page.getByText('Total Entries').locator('..')).toContainText('3')
  await page.goto('/diary?day=2025-06-09')
  await expectText(page, /A diary day 2025-06-09/)
  await page.goto('/diary?day=2025-06-01')
  const empty = page.getByRole('textbox', { name: 'Entry of Sunday, June 1, 2025' })
  await expect(empty).toBeEditable()
  await empty.fill('Written without a network')
  await expect(page.getByText('Safe on this device')).toBeVisible()
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: 'What this device keeps' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Days of the diary/ })).toContainText('3')
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)

  await giveNetworkBack(page.context())
  await page.goto('/diary?day=2025-06-01')
  await expect(empty).toHaveValue('Written without a network')
  await expect(page.getByRole('button', { name: 'Ana Lima' }).first()).toBeVisible()
})
