import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { type App, expect, shareSession, signIn, test } from './test.ts'
import { makeRoom } from './people.ts'

test.describe.configure({ mode: 'parallel' })

/** A part of the page whose script is fetched when the part is opened. */
interface Opening {
  /** The name of its script, without the hash. */
  file: string
  /** The page from which it is opened; the feed when left out. */
  from?: string
  as?: 'admin' | 'visitor' | 'nobody'
  phone?: true
  open: (page: Page) => Promise<unknown>
  /** Is visible once the script has been loaded. */
  shown: (page: Page) => Locator
  /** Is visible while the script is missing; the button 'Try again' when left out. */
  failed?: (page: Page) => Locator
  /** Requests the script again; a press of 'Try again' when left out. */
  again?: (page: Page) => Promise<unknown>
}

const go = (path: string) => (page: Page) => page.evaluate((to) => history.pushState(null, '', to), path)
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const dialog = (page: Page) => page.getByRole('dialog').last()
const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name })
const part = (name: string) => (page: Page) => page.getByRole('heading', { level: 2, name })
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })
const nothing = async () => {}
const scrollDown = (page: Page) =>
  page.getByRole('heading', { name: 'Browse by category' }).evaluate((heading) => heading.scrollIntoView())
const showAll = (of: string) => async (page: Page) => {
  await scrollDown(page)
  await page.getByRole('button', { name: `Show all of ${of}` }).click()
}

const openings: Opening[] = [
  { file: 'FeedPage', open: nothing, shown: heading('Feed') },
  {
    file: 'Inbox',
    open: nothing,
    // Its failure is not shown. It is loaded again after half a minute.
    failed: (page) => page.getByRole('link', { name: 'Messages', exact: true }),
    again: (page) => page.clock.runFor(30_000),
    shown: (page) => page.getByRole('link', { name: /^Messages ?\(\d+ unread\)/ }),
  },
  {
    file: 'Bell',
    open: nothing,
    // The account menu needs one of these files too.
    again: press('Notifications could not be loaded. Try again'),
    shown: (page) => page.locator('header [aria-haspopup=dialog]'),
  },
  {
    file: 'AccountMenu',
    open: nothing,
    // The bottom bar needs one of these files too.
    again: press('The account menu could not be loaded. Try again'),
    shown: (page) => page.locator('[aria-haspopup=menu]'),
  },
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
  {
    file: 'LoadedSections',
    open: scrollDown,
    shown: (page) => page.getByRole('button', { name: /^Poetry/ }),
  },
  {
    file: 'EntryDialog',
    open: async (page) => {
      await scrollDown(page)
      await press('Enter the competition')(page)
    },
    shown: dialog,
  },
  {
    file: 'PersonBar',
    open: nothing,
    again: press('The actions of your account could not be loaded. Try again'),
    shown: (page) => page.getByRole('button', { name: 'Log Out' }),
  },
  { file: 'ChangePasswordDialog', open: press('Change Password'), shown: dialog },
  {
    file: 'ArticleDialog',
    open: (page) => page.getByRole('link', { name: 'Continue reading' }).first().click(),
    shown: dialog,
  },
  {
    file: 'ArticlePage',
    open: (page) =>
      page
        .getByRole('link', { name: 'Continue reading' })
        .first()
        .evaluate((link: HTMLAnchorElement) => history.pushState(null, '', link.href)),
    shown: (page) => page.getByRole('link', { name: 'Go to the feed' }),
  },
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
    file: 'CreatorDetail',
    open: async (page) => {
      await scrollDown(page)
      await press('Amara Okonjo')(page)
    },
    shown: (page) => page.getByRole('link', { name: 'All creators' }),
  },
  { file: 'ShowAllDialog', open: showAll('Trending posts for you'), shown: dialog },
  { file: 'CategoryDialog', open: showAll('Browse by category'), shown: dialog },
  // Before the pages that it names.
  { file: 'other-pages', open: go('/diary'), shown: heading('My Diary') },
  { file: 'DiaryPage', open: go('/diary'), shown: heading('My Diary') },
  { file: 'CalendarPage', open: go('/calendar'), shown: heading('Calendar') },
  { file: 'ReportsPage', open: go('/reports'), shown: (page) => page.getByText('Total Entries') },
  {
    file: 'PersonPage',
    open: (page) =>
      page.evaluate(async () => {
        const me = (await (await fetch('/api/me')).json()) as { id: string }
        history.pushState(null, '', `/people/${me.id}`)
      }),
    shown: (page) => page.getByRole('link', { name: 'Edit your page' }),
  },
  { file: 'SettingsPage', open: go('/settings'), shown: heading('Settings') },
  { file: 'IssueUpload', as: 'admin', open: go('/settings'), shown: (page) => page.getByLabel('New issue') },
  // Before RoomsPage, which imports the same script.
  { file: 'ShelfPage', open: go('/projects/finished'), shown: heading('Finished stories') },
  // Before Rooms, which imports the same script.
  { file: 'RoomsPage', open: go('/projects'), shown: heading('Z!mmers') },
  { file: 'Rooms', open: go('/zimmers'), shown: heading('Z!mmer Profiles') },
  { file: 'CreatorsPage', open: go('/zimmers'), shown: heading('Z!mmer Profiles') },
  { file: 'ViewAllDialog', from: '/zimmers', open: press('View All of König'), shown: dialog },
  { file: 'PortfolioDialog', from: '/zimmers', open: press('Freya Nilsen'), shown: dialog },
  { file: 'ManageCategoriesDialog', from: '/zimmers', open: press('Manage Categories'), shown: dialog },
  { file: 'RoomForm', from: '/projects', open: press('Create'), shown: dialog },
  {
    file: 'RoomPage',
    from: '/projects',
    open: (page) => page.getByRole('link', { name: 'The long night' }).first().click(),
    shown: heading('The long night'),
  },
  {
    file: 'SigningDialog',
    from: '/projects',
    open: async (page) => {
      await page.getByRole('link', { name: 'The long night' }).first().click()
      await press('Change how you sign')(page)
    },
    shown: dialog,
  },
  { file: 'PeoplePage', open: go('/users'), shown: heading('People') },
  { file: 'AboutPage', open: go('/about'), shown: (page) => page.getByText(/^Version 1/) },
  { file: 'AdminPage', open: go('/admin'), shown: heading('Admin Panel') },
  {
    file: 'AuditLog',
    open: go('/admin?part=log'),
    shown: (page) => page.getByLabel('Action', { exact: true }),
  },
  { file: 'UserManagementPage', open: go('/admin-users'), shown: heading('User Management') },
  { file: 'PostManager', open: go('/admin'), shown: part('Pending submissions') },
  { file: 'AllPosts', open: go('/admin?part=all-posts'), shown: part('All posts') },
  { file: 'CreateContent', open: go('/admin?part=create-content'), shown: part('Create an article') },
  { file: 'Analytics', open: go('/admin?part=analytics'), shown: part('Posts per day') },
  { file: 'GenerateDialog', from: '/admin', open: press('Generate content'), shown: dialog },
  { file: 'MessagesPage', open: go('/messages'), shown: heading('Messages') },
  {
    file: 'InvitationPage',
    open: go('/invitations'),
    shown: heading('This invitation is no longer open'),
  },
  { file: 'AddFriendDialog', from: '/messages', open: press('Add Friend'), shown: dialog },
  {
    file: 'ShareDiaryDialog',
    from: '/messages',
    open: async (page) => {
      await press(/^Ben Okafor/)(page)
      await press('Share Diary Entry')(page)
    },
    shown: dialog,
  },
  {
    file: 'ReportPost',
    open: nothing,
    shown: (page) => page.getByRole('button', { name: 'Report this post' }).first(),
  },
  {
    file: 'ReportDialog',
    from: '/messages',
    open: async (page) => {
      await press(/^Ben Okafor/)(page)
      await press('Report')(page)
    },
    shown: dialog,
  },
  { file: 'Welcome', open: go('/?tab=cellar'), shown: heading('Welcome to Z!mmer') },
  { file: 'AdminRefusal', as: 'visitor', open: go('/admin'), shown: heading('Admins only') },
  {
    file: 'steps',
    as: 'nobody',
    from: '/',
    open: press('Next'),
    shown: (page) => page.getByLabel('Name', { exact: true }),
  },
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
  // After the pages of diary and calendar, which import some of the same scripts.
  ...['local-copies', 'only-copies', 'log-out-question'].map((file) => ({
    file,
    from: '/diary',
    open: async (page: Page) => {
      await page.getByRole('textbox', { name: /^Entry of/ }).fill('A line that is not saved yet')
      await page.clock.runFor(1000)
      await expect(page.getByText('Safe on this device')).toBeVisible()
      await press('Log Out')(page)
    },
    shown: (page: Page) => page.getByRole('button', { name: 'Save and log out' }),
    failed: (page: Page) => page.getByText('Drafts on this device could not be removed.'),
    again: async (page: Page) => {
      await press('OK')(page)
      await press('Log Out')(page)
    },
  })),
]

/** Lets the clock of the page run on, beyond the pauses after which the page fetches a script again. */
const runUntilVisible = (page: Page, part: Locator) =>
  expect(async () => {
    await page.clock.runFor(2000)
    await expect(part).toBeVisible({ timeout: 100 })
  }).toPass({ intervals: [20] })

/** A friend of the admin sends a message. */
async function writeToAdmin({ admin, signUp }: App) {
  const { client } = await signUp({ firstName: 'Ben', lastName: 'Okafor' })
  await client.does(addFriend, { input: { friendUserId: admin.user.id } })
  const input = { receiverId: admin.user.id, messageType: 'text' as const, content: 'Are you there?' }
  await client.does(sendMessage, { input })
}

const built = join(import.meta.dirname, '../dist/web')
const entry = /src="\/assets\/([^"]+)"/.exec(readFileSync(join(built, 'index.html'), 'utf8'))![1]!
// The folder also holds scripts of earlier builds. No script of this build names them.
const assets = namedBy(entry)

function namedBy(script: string, found: string[] = []): string[] {
  found.push(script)
  const code = readFileSync(join(built, 'assets', script), 'utf8')
  for (const [name] of code.matchAll(/[\w-]+-[\w-]{8}\.js\b/g))
    if (!found.includes(name) && existsSync(join(built, 'assets', name))) namedBy(name, found)
  return found
}

/** A script with all scripts that it imports. */
function withImports(script: string, found = new Set<string>()): Set<string> {
  if (found.has(script)) return found
  found.add(script)
  const code = readFileSync(join(built, 'assets', script), 'utf8')
  for (const [, name] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
    withImports(name!, found)
  return found
}

// Each script is blocked by the first opening that needs it, together with the others: one is enough for the part to fail.
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
  test(`a person for whom the scripts of ${file} are missing keeps the frame and the typed text, and can load them again [R22 ERR-29]`, async ({
    page,
    app,
    forgive,
  }) => {
    forgive(/Failed to load resource|Failed to fetch dynamically|error loading|^Object$|Event|export|worker/i)
    await app.publish({ content: `An evening of many words.\n\n${'It was long and quiet. '.repeat(60)}` })
    if (as === 'admin') {
      await shareSession(page, app.admin)
      if (file === 'Inbox' || from === '/messages') await writeToAdmin(app)
      if (file === 'PersonPage') await app.admin.client.does(changeSettings, { input: { hasPage: true } })
      if (from === '/projects') await makeRoom(app.admin)
      if (from.startsWith('/diary'))
        await app.admin.client
          .does(saveDiaryEntry, { input: { date: '2025-03-01', content: 'A day.' } })
          .catch(() => {})
    }
    if (as === 'visitor') await page.addInitScript(() => sessionStorage.setItem('browsing', 'true'))
    if (phone) await page.setViewportSize({ width: 390, height: 844 })
    await page.clock.install()
    const isMissing = ({ pathname }: URL) => needed.includes(basename(pathname))
    await page.route(isMissing, (route) => route.abort())
    await page.goto(from)
    await page.mouse.move(10, 10)
    const search = page.getByRole('combobox', { name: 'Search' })
    if (as !== 'nobody') {
      await search.fill('evening')
      if (file !== 'SearchResults') await search.blur()
    }
    const isFailed = runUntilVisible(page, failed(page).first())
    await open(page)
    await isFailed
    if (as !== 'nobody') {
      expect(await page.locator('header a[href="/dashboard"]').count(), 'the frame is shown').toBe(1)
      expect(await page.locator('input[role=combobox]').inputValue()).toBe('evening')
    }
    await page.unroute(isMissing)
    await (again ?? (() => tryAgain(page).last().click()))(page)
    await runUntilVisible(page, shown(page))
    if (as !== 'nobody') expect(await page.locator('input[role=combobox]').inputValue()).toBe('evening')
  })
}

for (const [path, text] of [
  ['/diary', undefined],
  ['/about', 'is a home for people who write'],
] as const)
  test(`a person for whom the entry script is missing reads on ${path} that Z!mmer could not be loaded [R22]`, async ({
    page,
    forgive,
  }) => {
    forgive(/Failed to load resource|Failed to fetch dynamically/)
    await page.route(`**/assets/${entry}`, (route) => route.abort())
    await page.goto(path)
    await expect(page.getByText('Z!mmer could not be loaded. Reload the page.')).toBeVisible()
    if (text !== undefined) await expect(page.getByText(text)).toBeInViewport()
  })

test('a reader who cancels an article whose file is missing reads on in the feed [R22 SHELL-94]', async ({
  page,
  app,
  forgive,
}) => {
  forgive(/Failed to load resource|Failed to fetch dynamically|^Object$/i)
  await app.publish({ content: 'word '.repeat(400) })
  await page.clock.install()
  await page.route('**/assets/ArticleDialog-*.js', (route) => route.abort())
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Continue reading' }).first().click()
  const cancel = page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })
  await runUntilVisible(page, cancel)
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
