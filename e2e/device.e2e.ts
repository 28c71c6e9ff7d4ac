import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { logout } from '#contract/account/endpoints.ts'
import { addBookmark } from '#contract/bookmarks/endpoints.ts'
import { saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createDraft } from '#contract/drafts/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { instanceLabels } from '#contract/instance/settings.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { chromiumArguments, findChromium } from '../scripts/testing/chromium.ts'
import { rowsOnDevice } from './on-device.ts'
import { makeRoom } from './people.ts'
import { crash } from './player.ts'
import { go } from './navigation.ts'
import { type App, bar, expect, holdRequests, shareSession, signIn, test } from './test.ts'
import { giveNetworkBack, takeNetwork } from '../scripts/testing/without-server.ts'

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
  await page.goto('/about')
  for (const { path, text, row } of places(written)) {
    await go(page, path)
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

/** All that this device keeps of answers, as one text. */
async function keptRows(page: Page) {
  const rows = await rowsOnDevice(page)
  return JSON.stringify(['zimmer/days', 'zimmer/answers'].map((store) => rows[store]))
}

test('a person without a network opens diary, calendar, conversation, room, drafts, reports and settings as they were read before [OWN-02]', async ({
  app,
  page,
  forgive,
}) => {
  forgive(/ERR_INTERNET_DISCONNECTED|Failed to (load|fetch)|could not be/)
  const written = await writeAll(app, 'by the lamp')
  await shareSession(page, written.ana)
  const post = await app.publish({ content: 'A letter by the lamp\n\nIts second line by the lamp' })
  await written.ana.client.does(addBookmark, { params: { postId: post.id } })
  await readAll(page, written)
  await go(page, '/read-later')
  for (const row of ['/api/bookmarks?', '/api/bookmark-ids', 'Its second line by the lamp'])
    await expect.poll(() => keptRows(page)).toContain(row)
  await go(page, '/settings')
  await expect(page.getByRole('heading', { name: 'Signed in on' })).toBeVisible()
  await expect.poll(() => keptRows(page)).toContain('/api/me/sessions')

  await takeNetwork(page.context())
  // A page that was just loaded has only what the device kept.
  await page.goto('/about')
  for (const { path, text } of places(written)) {
    await go(page, path)
    await expectText(page, text)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  }
  await go(page, '/read-later')
  await page.getByRole('link', { name: 'A letter by the lamp' }).click()
  await expect(page.getByText('Its second line by the lamp')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Its second line by the lamp')).toBeVisible()
  await go(page, '/dashboard')
  const notice = page.getByRole('region', { name: 'Without a connection' })
  await expect(notice).toContainText('The feed needs a connection.')
  await notice.getByRole('link', { name: 'Read later' }).click()
  await expect(page.getByRole('link', { name: 'A letter by the lamp' })).toBeVisible()
  await go(page, '/reports')
  await expect(page.getByText('Total Entries').locator('..')).toContainText('3')
  await go(page, '/diary?day=2025-06-09')
  await expectText(page, /A diary day 2025-06-09/)
  await go(page, '/diary?day=2025-06-01')
  const empty = page.getByRole('textbox', { name: 'Entry of Sunday, June 1, 2025' })
  await expect(empty).toBeEditable()
  await empty.fill('Written without a network')
  await expect(page.getByText('Safe on this device')).toBeVisible()
  await go(page, '/settings')
  await expect(page.getByRole('heading', { name: 'What this device keeps' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Days of the diary/ })).toContainText('3')
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)

  await giveNetworkBack(page.context())
  await page.goto('/diary?day=2025-06-01')
  await expect(empty).toHaveValue('Written without a network')
  await expect(page.getByRole('button', { name: 'Ana Lima' }).first()).toBeVisible()
})

/** What a page of the browser can still find of a person: rows, drafts, storage and stored answers. */
async function foundByPage(page: Page, mark: string) {
  const rows = await rowsOnDevice(page)
  const others = await page.evaluate(async () => {
    const answers: Record<string, string> = {}
    for (const name of await caches.keys())
      for (const answer of await (await caches.open(name)).matchAll())
        answers[`cache ${name}`] = (answers[`cache ${name}`] ?? '') + (await answer.text())
    return { localStorage: { ...localStorage }, sessionStorage: { ...sessionStorage }, ...answers }
  })
  return Object.entries({ ...rows, ...others }).flatMap(([place, value]) =>
    JSON.stringify(value).includes(mark) ? [place] : [],
  )
}

const logOut = async (page: Page) => {
  await bar(page).getByRole('button', { name: 'Log Out' }).click()
  const without = page.getByRole('button', { name: 'Log out without saving' })
  const onboarding = page.getByRole('heading', { name: 'About us' })
  await expect(without.or(onboarding)).toBeVisible()
  if (await without.isVisible()) await without.click()
  await expect(onboarding).toBeVisible()
}

test('a browser whose person has logged out has nothing of the person for its pages, and no byte in any file, also of a text in whose middle the page was killed [OWN-05 OWN-21]', async ({
  app,
  playwright,
}) => {
  const mark = 'k9nari7voge1'
  const written = await writeAll(app, mark)
  const profile = await mkdtemp(join(tmpdir(), 'zimmer-profile-'))
  const path = findChromium()?.path
  const open = () =>
    playwright.chromium.launchPersistentContext(profile, {
      args: [...chromiumArguments],
      baseURL: app.url,
      ...(path !== undefined && { executablePath: path }),
    })
  try {
    const before = await open()
    const page = before.pages()[0] ?? (await before.newPage())
    await signIn(page, written.ana)
    await readAll(page, written)
    await page.goto('/diary?day=2025-06-01')
    const sheet = page.getByRole('textbox', { name: 'Entry of Sunday, June 1, 2025' })
    await sheet.fill(`Typed ${mark}`)
    await expect(page.getByText('Safe on this device')).toBeVisible()
    await page.goto('/diary?day=2025-06-02')
    await page.getByRole('textbox', { name: 'Entry of Monday, June 2, 2025' }).fill(`Saved here ${mark}`)
    await page.getByRole('button', { name: 'Save Entry' }).click()
    await expect(page.getByRole('button', { name: 'Edit Entry' })).toBeVisible()
    await page.getByRole('button', { name: 'Previous day' }).click()
    await expect(sheet).toHaveValue(`Typed ${mark}`)
    const places = await foundByPage(page, mark)
    expect(places.toSorted()).toEqual(['drafts/drafts', 'zimmer/answers', 'zimmer/days'])
    // The page dies in the middle of a word.
    const typing = sheet
      .pressSequentially(` Killed ${mark} and typed on, and on, and on`, { delay: 20 })
      .catch(() => {})
    await expect(sheet).toHaveValue(new RegExp(`Killed ${mark} and typed`))
    await crash(before, page)
    await typing
    await before.close()
    for (const text of beginnings)
      expect((await filesWith(profile, `${text} ${mark}`)).some(isOfBucket), text).toBe(true)
    // Not in the local storage, the cache of answers, the session of the browser, or in any other file.
    expect((await filesWith(profile, mark)).filter((file) => !isOfBucket(file))).toEqual([])

    const during = await open()
    const leaving = during.pages()[0] ?? (await during.newPage())
    await leaving.goto('/settings')
    await logOut(leaving)
    await during.close()

    const after = await open()
    const later = after.pages()[0] ?? (await after.newPage())
    await later.goto('/')
    await expect(later.getByRole('heading', { name: 'About us' })).toBeVisible()
    expect(await foundByPage(later, mark)).toEqual([])
    // What a log-out could not remove, because the page was killed, the next page removes soon after its start.
    await expect.poll(() => bucketsOf(later)).toEqual([])
    await after.close()
    expect(await filesWith(profile, mark)).toEqual([])
  } finally {
    await rm(profile, { recursive: true, force: true })
  }
})

test('short fields, the bell, a competition entry, a comment being written and where a text was left outlive the page of an admin, and leave no byte after the log-out [OWN-05 OWN-21 COMP-16]', async ({
  app,
  playwright,
}) => {
  const mark = 'k9nari7voge7'
  const friend = await app.signUp({ firstName: 'Bell', lastName: mark })
  await friend.client.does(addFriend, { input: { friendUserId: app.admin.user.id } })
  await app.admin.client.does(addFriend, { input: { friendUserId: friend.user.id } })
  const post = await app.publish({ content: `A long letter\n\n${'It went on and on. '.repeat(2000)}` })
  const commented = await app.publish({ content: 'A short letter' })
  const profile = await mkdtemp(join(tmpdir(), 'zimmer-profile-'))
  const path = findChromium()?.path
  const open = () =>
    playwright.chromium.launchPersistentContext(profile, {
      args: [...chromiumArguments],
      baseURL: app.url,
      ...(path !== undefined && { executablePath: path }),
    })
  /** The pages with a field, and the fields with their texts. */
  const forms: [path: string, openForm: (page: Page) => Promise<void>, fields: string[]][] = [
    [
      '/dashboard',
      async (page) => {
        const enter = page.getByRole('button', { name: 'Enter the competition' })
        await expect(async () => {
          await page.mouse.wheel(0, 2000)
          await expect(enter).toBeVisible({ timeout: 500 })
        }).toPass()
        await enter.click()
      },
      ['Title', 'Content', 'Author name', 'Email', 'Bio (optional)'],
    ],
    [
      '/zimmers?view=rooms',
      (page) => page.getByRole('button', { name: 'Create' }).first().click(),
      ['Room name', 'Opening (optional)'],
    ],
    [`/posts/${commented.id}`, async () => {}, ['Your comment']],
    ['/admin?part=create-content', async () => {}, ['Author name']],
    ['/admin?part=instance', async () => {}, [instanceLabels.welcome]],
  ]
  const textOf = (form: string, label: string) => `${form} ${label} ${mark}`
  const kept = async (page: Page) => {
    const rows = await rowsOnDevice(page)
    return JSON.stringify([rows['keys/keys'], rows['drafts/drafts']])
  }
  try {
    const before = await open()
    const page = before.pages()[0] ?? (await before.newPage())
    await signIn(page, app.admin)
    await page.goto('/dashboard')
    await expect(bar(page)).toContainText('Logged in as')
    // The stream of the page may open after the first message.
    await expect(async () => {
      await friend.client.does(sendMessage, {
        input: { receiverId: app.admin.user.id, content: 'Hello', messageType: 'text' },
      })
      await expect.poll(() => kept(page), { timeout: 1000 }).toContain(`Bell ${mark}`)
    }).toPass()
    for (const [address, openForm, fields] of forms) {
      await page.goto(address)
      await openForm(page)
      for (const label of fields) {
        const field = page.getByLabel(label, { exact: true })
        await expect(field).toBeEditable()
        await field.fill(textOf(address, label))
        await expect.poll(() => kept(page)).toContain(textOf(address, label))
      }
    }
    await page.goto(`/posts/${post.id}`)
    await expect(page.getByText('It went on and on.').first()).toBeVisible()
    await page.mouse.wheel(0, 4000)
    await expect.poll(() => kept(page)).toContain('quote')
    expect(await foundByPage(page, mark)).toEqual(
      expect.not.arrayContaining(['localStorage', 'sessionStorage']),
    )
    await crash(before, page)
    await before.close()
    for (const text of [mark, '"quote":'])
      expect(
        (await filesWith(profile, text)).filter((file) => !isOfBucket(file)),
        text,
      ).toEqual([])

    const during = await open()
    const leaving = during.pages()[0] ?? (await during.newPage())
    for (const [address, openForm, fields] of forms) {
      await leaving.goto(address)
      await openForm(leaving)
      for (const label of fields)
        await expect(leaving.getByLabel(label, { exact: true })).toHaveValue(textOf(address, label))
    }
    await leaving.goto(`/posts/${post.id}`)
    await expect(leaving.getByText('You left off here')).toBeVisible()
    await leaving.goto('/settings')
    await logOut(leaving)
    expect(await foundByPage(leaving, mark)).toEqual([])
    expect(await bucketsOf(leaving)).toEqual([])
    await during.close()
    for (const text of [mark, '"quote":']) expect(await filesWith(profile, text), text).toEqual([])
  } finally {
    await rm(profile, { recursive: true, force: true })
  }
})

/** How the texts begin that the test writes. */
const beginnings = [
  'A diary day 2025-06-10',
  'A note',
  'A draft',
  'A message',
  'A passage',
  'Typed',
  'Killed',
  'Saved here',
]
const isOfBucket = (file: string) => file.includes('/WebStorage/')

const bucketsOf = (page: Page) =>
  page.evaluate(() =>
    (navigator as unknown as { storageBuckets: { keys: () => Promise<string[]> } }).storageBuckets.keys(),
  )

/** The files of a profile that have a text, as UTF-8 or UTF-16. */
async function filesWith(profile: string, text: string) {
  const found = []
  for (const entry of await readdir(profile, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readFile(file)
    if (bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'))) found.push(file)
  }
  return found
}

test('of two people with one browser, the second finds nothing of the first, whether the first logged out or the session ended [OWN-21]', async ({
  app,
  page,
  forgive,
}) => {
  forgive(/Failed to fetch user .*: 401/)
  const mark = 'k9nari7voge2'
  const written = await writeAll(app, mark)
  const places = async () => (await foundByPage(page, mark)).filter((place) => place.startsWith('zimmer'))
  for (const end of ['log-out', 'server', 'cookies'] as const) {
    await signIn(page, written.ana)
    await page.goto('/diary?view=paper')
    await expect.poll(places).toEqual(['zimmer/days'])
    if (end === 'log-out') await logOut(page)
    else await page.context().clearCookies()
    if (end === 'server') {
      await page.goto('/dashboard')
      await expect.poll(places).toEqual([])
    }
    await signIn(page, written.ben)
    await page.goto('/writing')
    await expect(page.getByRole('button', { name: 'Ben Okafor' }).first()).toBeVisible()
    await expect.poll(places).toEqual([])
    await expect.poll(() => keptRows(page)).toContain('/api/drafts?')
    await logOut(page)
  }
})

test('a tab that shows the text of a person while the person logs out in another tab brings nothing back [S48 OWN-21]', async ({
  app,
  page,
  context,
  forgive,
}) => {
  forgive(/401|Failed to/)
  const mark = 'k9nari7voge3'
  await signIn(page, await app.signUp())
  await page.goto('/diary?day=2025-06-01')
  await page.getByRole('textbox', { name: 'Entry of Sunday, June 1, 2025' }).fill(`Typed ${mark}`)
  await expect(page.getByText('Safe on this device')).toBeVisible()
  const other = await context.newPage()
  await other.goto('/settings')
  await logOut(other)
  await expect(page.getByLabel('Email')).toBeVisible()
  expect(await foundByPage(page, mark)).toEqual([])
})

test('a tab without a network that still shows the text of a person keeps nothing of it after somebody else has signed in [S48 OWN-21]', async ({
  app,
  page,
  context,
  forgive,
}) => {
  forgive(/401|Failed to|ERR_INTERNET_DISCONNECTED/)
  const mark = 'k9nari7voge4'
  await signIn(page, await app.signUp())
  await page.goto('/diary?day=2025-06-01')
  const sheet = page.getByRole('textbox', { name: 'Entry of Sunday, June 1, 2025' })
  await sheet.fill(`Typed ${mark}`)
  await expect(page.getByText('Safe on this device')).toBeVisible()
  await page.route('**/api/**', (route) => route.abort('internetdisconnected'))
  const other = await context.newPage()
  await other.goto('/settings')
  await logOut(other)
  await signIn(other, await app.signUp({ firstName: 'Ben', lastName: 'Okafor' }))
  await other.goto('/dashboard')
  await expect(other.getByRole('button', { name: 'Ben Okafor' }).first()).toBeVisible()
  await sheet.fill(`Typed on ${mark}`)
  await expect(page.getByText('Not saved, and this browser cannot keep it')).toBeVisible()
  expect(await foundByPage(other, mark)).toEqual([])
})

test('a tab that was left open by a person before never takes the diary of the next person for theirs [S48 OWN-21]', async ({
  app,
  page,
  context,
  forgive,
}) => {
  forgive(/401|409|Failed to/)
  const mark = 'k9nari7voge6'
  const ana = await app.signUp()
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
  await ben.client.does(saveDiaryEntry, { input: { date: '2025-06-01', content: `Of Ben ${mark}` } })
  await signIn(page, ana)
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Ana Lima' }).first()).toBeVisible()
  // Ana's session ends elsewhere. This tab hears of it late.
  await page.route(/\/api\/live/, (route) => route.abort('internetdisconnected'))
  const answer = await holdRequests(page, /\/api\/me$/)
  await page.request.post(logout.path)
  const other = await context.newPage()
  await signIn(other, ben)
  await other.goto('/dashboard')
  await expect(other.getByRole('button', { name: 'Ben Okafor' }).first()).toBeVisible()
  const refusal = page.waitForResponse((answer) => answer.status() === 409)
  await page.evaluate(() => history.pushState(null, '', '/diary?view=paper'))
  await refusal
  await expect.poll(() => foundByPage(other, mark)).toEqual([])
  answer()
  await expect(page.getByRole('button', { name: 'Ben Okafor' }).first()).toBeVisible()
  await expect(page.getByText(`Of Ben ${mark}`)).toBeVisible()
  const keys = await page.evaluate(() => Object.keys(localStorage))
  expect(keys.filter((key) => key.includes(ana.user.id))).toEqual([])
})

test('a browser that is killed while a person logs out has nothing of the person soon after it is opened again [OWN-05 OWN-21]', async ({
  app,
  page,
  context,
}) => {
  const mark = 'k9nari7voge5'
  const ana = await app.signUp()
  await signIn(page, ana)
  await page.goto('/diary?day=2025-06-01')
  await page.getByRole('textbox', { name: 'Entry of Sunday, June 1, 2025' }).fill(`Typed ${mark}`)
  await expect(page.getByText('Safe on this device')).toBeVisible()
  // The server has ended the session, and the browser ends after the first steps of the page.
  await page.request.post(logout.path)
  await page.evaluate((id) => {
    localStorage.removeItem('userId')
    localStorage.setItem('logged-out', id)
  }, ana.user.id)
  await page.close()
  const next = await context.newPage()
  await next.goto('/')
  expect(await foundByPage(next, mark)).toContain('drafts/drafts')
  await expect.poll(() => foundByPage(next, mark), { timeout: 30_000 }).toEqual([])
})

test('a person sees in the settings what this device keeps, and removes it with or without the unsaved text [OWN-05]', async ({
  app,
  page,
}) => {
  const written = await writeAll(app, 'by the lamp')
  await shareSession(page, written.ana)
  await readAll(page, written)
  await go(page, '/diary?day=2025-06-01')
  await page.getByRole('textbox', { name: 'Entry of Sunday, June 1, 2025' }).fill('Not saved yet')
  await expect(page.getByText('Safe on this device')).toBeVisible()
  await go(page, '/settings#part-privacy')
  const row = (name: string | RegExp) => page.getByRole('row', { name })
  await expect(row(/^Days of the diary 3 1 KB$/)).toBeVisible()
  for (const name of [
    /^Calendar notes 1 /,
    /^Rooms and stories/,
    /^Conversations/,
    /^Typed and not saved yet 1 /,
  ])
    await expect(row(name)).toBeVisible()
  const question = page.getByRole('alertdialog')
  const remove = page.getByRole('button', { name: 'Remove from this device' })
  await remove.click()
  await expect(question).toContainText(
    'Not saved yet, and on this device only: the diary of Sunday, June 1, 2025.',
  )
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(/^Days of the diary/)).toBeVisible()
  await remove.click()
  await question.getByRole('button', { name: 'Remove copies only' }).click()
  await expect(row(/^Days of the diary/)).toBeHidden()
  await expect(row(/^Typed and not saved yet 1 /)).toBeVisible()
  await expect(page.getByText('Removed. What you read from now on is kept again.')).toBeVisible()
  expect(await foundByPage(page, 'by the lamp')).toEqual([])
  await remove.click()
  await question.getByRole('button', { name: 'Remove unsaved text too' }).click()
  await expect(row(/^Typed and not saved yet/)).toBeHidden()
  expect(await foundByPage(page, 'Not saved yet')).toEqual([])
})
