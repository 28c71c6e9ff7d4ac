import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { expect, signIn, test } from './test.ts'
import { makeRoom } from './people.ts'

test.describe.configure({ mode: 'parallel' })

/** Something that is fetched when it is opened. */
interface Opening {
  /** Its file, without the hash. */
  file: string
  /** The page from which it is opened; the feed when left out. */
  from?: string
  as?: 'admin' | 'visitor' | 'nobody'
  phone?: true
  open: (page: Page) => Promise<unknown>
  /** Is there once the file has come. */
  shown: (page: Page) => Locator
  /** Says that the file is missing and asks for it again; 'Try again' when left out. */
  failed?: (page: Page) => Locator
  again?: (page: Page) => Promise<unknown>
}

const go = (path: string) => (page: Page) => page.evaluate((to) => history.pushState(null, '', to), path)
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const dialog = (page: Page) => page.getByRole('dialog').last()
const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name })
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })
const nothing = async () => {}
const scrollDown = (page: Page) =>
  page.getByRole('heading', { name: 'Browse by category' }).scrollIntoViewIfNeeded()
const showAll = (of: string) => async (page: Page) => {
  await scrollDown(page)
  await page.getByRole('button', { name: `Show all of ${of}` }).click()
}

const openings: Opening[] = [
  { file: 'AccountMenu', open: nothing, shown: (page) => page.locator('[aria-haspopup=menu]') },
  {
    file: 'SearchResults',
    open: nothing,
    shown: (page) => page.locator('#search-results'),
    // The sections below the feed need one of these files too, and a click there would close the results.
    again: (page) => page.getByRole('search').getByRole('button', { name: 'Try again' }).click(),
  },
  { file: 'MenuSheet', phone: true, open: press('Menu'), shown: dialog },
  { file: 'ShortcutList', open: (page) => page.keyboard.press('?'), shown: dialog },
  { file: 'CreatePostDialog', open: (page) => page.keyboard.press('n'), shown: dialog },
  { file: 'EntryDialog', open: press('Enter the competition'), shown: dialog },
  { file: 'ChangePasswordDialog', open: press('Change Password'), shown: dialog },
  { file: 'ArticleDialog', open: press('Continue reading'), shown: dialog },
  { file: 'DetailDialog', open: press('Ana Lima'), shown: dialog },
  {
    file: 'PaymentDialog',
    open: async (page) => {
      await press('Ana Lima')(page)
      await press(/^Tip or message/)(page)
    },
    shown: (page) => page.getByRole('dialog', { name: 'Support Ana Lima' }),
  },
  {
    file: 'LoadedSections',
    open: scrollDown,
    shown: (page) => page.getByRole('button', { name: /^Poetry/ }),
  },
  { file: 'ShowAllDialog', open: showAll('Trending posts for you'), shown: dialog },
  { file: 'CategoryDialog', open: showAll('Browse by category'), shown: dialog },
  { file: 'DiaryPage', open: go('/diary'), shown: heading('My Diary') },
  { file: 'CalendarPage', open: go('/calendar'), shown: heading('Calendar') },
  { file: 'ReportsPage', open: go('/reports'), shown: (page) => page.getByText('Total Entries') },
  { file: 'SettingsPage', open: go('/settings'), shown: heading('Settings') },
  // Before Rooms, which imports the same script.
  { file: 'RoomsPage', open: go('/projects'), shown: heading('Z!mmers') },
  { file: 'Rooms', open: go('/zimmers'), shown: heading('Z!mmer Profiles') },
  { file: 'RoomForm', from: '/projects', open: press('Create'), shown: dialog },
  {
    file: 'RoomPage',
    from: '/projects',
    open: (page) => page.getByRole('link', { name: 'The long night' }).first().click(),
    shown: heading('The long night'),
  },
  { file: 'PeoplePage', open: go('/users'), shown: heading('People') },
  { file: 'AboutPage', open: go('/about'), shown: (page) => page.getByText(/^Version 1/) },
  { file: 'AdminPage', open: go('/admin'), shown: heading('Admin Panel') },
  // Before ForPeople, which imports the same script.
  { file: 'BeingBuilt', open: go('/admin-users'), shown: heading('User Management') },
  { file: 'ForPeople', open: go('/messages'), shown: heading('Messages') },
  { file: 'Welcome', open: go('/?tab=cellar'), shown: heading('Welcome to Z!mmer') },
  { file: 'AdminRefusal', as: 'visitor', open: go('/admin'), shown: heading('Admins only') },
  { file: 'OnboardingPage', as: 'nobody', from: '/', open: nothing, shown: heading('About us') },
  {
    file: 'count-worker',
    open: go('/reports'),
    shown: (page) => page.getByText('Total Entries'),
  },
  ...['export-pdf', 'pdf-worker'].map((file) => ({
    file,
    from: '/diary?view=paper',
    open: press('Export to PDF'),
    shown: (page: Page) => page.getByRole('button', { name: 'Export to PDF' }),
    failed: (page: Page) => page.getByText('The diary could not be exported.'),
    again: (page: Page) => Promise.all([page.waitForEvent('download'), press('Export to PDF')(page)]),
  })),
]

const built = join(import.meta.dirname, '../dist/web')
const entry = /src="\/assets\/([^"]+)"/.exec(readFileSync(join(built, 'index.html'), 'utf8'))![1]!
// The folder also holds the scripts of the build before, which no script of this one names.
const assets = namedBy(entry)

function namedBy(script: string, found: string[] = []): string[] {
  found.push(script)
  const code = readFileSync(join(built, 'assets', script), 'utf8')
  for (const [name] of code.matchAll(/[\w-]+-[\w-]{8}\.js\b/g))
    if (!found.includes(name) && existsSync(join(built, 'assets', name))) namedBy(name, found)
  return found
}

/** A script with all scripts that come with it. */
function withImports(script: string, found = new Set<string>()): Set<string> {
  if (found.has(script)) return found
  found.add(script)
  const code = readFileSync(join(built, 'assets', script), 'utf8')
  for (const [, name] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
    withImports(name!, found)
  return found
}

// Each script is blocked by the first opening that needs it.
const seen = withImports(entry)
const cases = openings.map((opening) => {
  const script = assets.find((name) => name.replace(/-[\w-]{8}\.js$/, '') === opening.file)
  const needed = script === undefined ? [] : [...withImports(script)].filter((name) => !seen.has(name))
  for (const name of needed) seen.add(name)
  return { ...opening, needed }
})

test('every script of the build but the first is blocked by one of these tests [R22]', () => {
  expect(assets.filter((name) => !seen.has(name))).toEqual([])
})

test('each of these tests blocks a script of the build [R22]', () => {
  expect(cases.filter(({ needed }) => needed.length === 0).map(({ file }) => file)).toEqual([])
})

for (const {
  file,
  as = 'admin',
  from = '/dashboard',
  phone,
  open,
  shown,
  failed = tryAgain,
  again,
  needed,
} of cases) {
  test(`where a file of ${file} is missing, the frame and what is typed stay, and the file is asked for again [R22 ERR-29]`, async ({
    page,
    app,
    forgive,
  }) => {
    forgive(/Failed to load resource|Failed to fetch dynamically|error loading|^Object$|Event|export|worker/i)
    test.setTimeout(180_000)
    await app.publish({ content: `An evening of many words.\n\n${'It was long and quiet. '.repeat(60)}` })
    if (as === 'admin') {
      await signIn(page, app.admin)
      if (from === '/projects') await makeRoom(app.admin)
      if (from.startsWith('/diary'))
        await app.admin.client
          .does(saveDiaryEntry, { input: { date: '2025-03-01', content: 'A day.' } })
          .catch(() => {})
    }
    if (as === 'visitor') await page.addInitScript(() => sessionStorage.setItem('browsing', 'true'))
    if (phone) await page.setViewportSize({ width: 390, height: 844 })
    await page.clock.install()
    for (const missing of needed) {
      await page.route(`**/assets/${missing}`, (route) => route.abort())
      await page.goto(from)
      await page.mouse.move(10, 10)
      const search = page.getByRole('combobox', { name: 'Search' })
      if (as !== 'nobody') {
        await search.fill('evening')
        if (file !== 'SearchResults') await search.blur()
      }
      const isFailed = expect(async () => {
        await page.clock.runFor(1000)
        await expect(failed(page).first()).toBeVisible({ timeout: 300 })
      }).toPass()
      await open(page)
      await isFailed
      if (as !== 'nobody') {
        expect(await page.locator('header a[href="/dashboard"]').count(), 'the frame is there').toBe(1)
        expect(await page.locator('input[role=combobox]').inputValue()).toBe('evening')
      }
      await page.unroute(`**/assets/${missing}`)
      await (again ?? (() => tryAgain(page).last().click()))(page)
      await expect(async () => {
        await page.clock.runFor(1000)
        await expect(shown(page)).toBeVisible({ timeout: 300 })
      }).toPass()
      if (as !== 'nobody') expect(await page.locator('input[role=combobox]').inputValue()).toBe('evening')
    }
  })
}

test('where the entry script is missing, the page says so instead of loading for good [R22]', async ({
  page,
  forgive,
}) => {
  forgive(/Failed to load resource/)
  await page.route(`**/assets/${entry}`, (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('status')).toHaveText('Z!mmer could not be loaded. Reload the page.')
})

test('a stranger who cancels an article whose file is missing reads on in the feed [R22 SHELL-94]', async ({
  page,
  app,
  forgive,
}) => {
  forgive(/Failed to load resource|Failed to fetch dynamically|^Object$/i)
  const post = await app.publish()
  await page.clock.install()
  await page.route('**/assets/ArticleDialog-*.js', (route) => route.abort())
  await page.goto(`/posts/${post.id}`)
  const cancel = page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })
  await expect(async () => {
    await page.clock.runFor(1000)
    await expect(cancel).toBeVisible({ timeout: 300 })
  }).toPass()
  await cancel.click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
})

test('a person stays signed in while the file that removes drafts is missing, and can try again [S48 R22]', async ({
  page,
  app,
  forgive,
}) => {
  forgive(/Failed to load resource/)
  await signIn(page, await app.signUp())
  await page.route('**/assets/drafts-*.js', (route) => route.abort())
  await page.goto('/dashboard')
  const logOut = page.getByRole('button', { name: 'Log Out' })
  await logOut.click()
  const alert = page.getByRole('alertdialog')
  await expect(alert).toContainText('Drafts on this device could not be removed.')
  await alert.getByRole('button', { name: 'OK' }).click()
  expect((await page.request.get('/api/me')).status()).toBe(200)
  await page.unroute('**/assets/drafts-*.js')
  await logOut.click()
  await expect(page).toHaveURL(/\/\?onboarding=true$/)
})
