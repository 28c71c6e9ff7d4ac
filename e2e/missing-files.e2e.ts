import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { changeInstanceSettings, getInstanceSettings } from '#contract/instance/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { go } from './navigation.ts'
import { type App, expect, holdRequests, shareSession, signIn, test } from './test.ts'

test.describe.configure({ mode: 'parallel' })

/** A part of the page whose script is fetched when the part is opened. */
interface Opening {
  /** The name of its script, without the hash. */
  file: string
  open: (page: Page) => Promise<unknown>
  /** Is visible once the script has been loaded. */
  shown: (page: Page) => Locator
  /** Is visible while the script is missing; the button 'Try again' when left out. */
  failed?: (page: Page) => Locator
  /** Requests the script again; a press of 'Try again' when left out. */
  again?: (page: Page) => Promise<unknown>
}

/** One window, in which these parts are opened one after the other. */
interface Window {
  as: 'admin' | 'nobody'
  /** The first page; the feed when left out. */
  from?: string
  /** Gives the admin what the parts show. */
  prepare?: (app: App) => Promise<unknown>
  openings: Opening[]
}

const goTo = (path: string) => (page: Page) => go(page, path)
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const dialog = (page: Page) => page.getByRole('dialog').last()
const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name })
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })
const inPosts = (page: Page) => tryAgain(page).and(page.getByRole('article').getByRole('button'))
const inMain = (page: Page) => tryAgain(page).and(page.getByRole('main').getByRole('button'))
const inSidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('button')
const nothing = async () => {}
const scrollDown = (page: Page) =>
  page.getByRole('heading', { name: 'Browse by category' }).evaluate((heading) => heading.scrollIntoView())

/** The last part of the settings. */
const inDeleteAccount = (page: Page) =>
  page.locator('#part-delete-account').getByRole('button', { name: 'Try again' })

const exportToPdf = (file: string): Opening => ({
  file,
  open: press('Export to PDF'),
  shown: (page) => page.getByRole('button', { name: 'Export to PDF' }),
  failed: (page) => page.getByText('The diary could not be exported.'),
  again: (page) => Promise.all([page.waitForEvent('download'), press('Export to PDF')(page)]),
})

// One for each way in which a part says that it is missing, and one for each file that is fetched without such a part.
const windows: Window[] = [
  {
    as: 'admin',
    openings: [
      {
        file: 'FeedPage',
        open: nothing,
        // Parts of the frame need some of the same scripts, and fail with it.
        failed: inMain,
        again: (page) => inMain(page).click(),
        shown: heading('Feed'),
      },
    ],
  },
  {
    as: 'admin',
    prepare: writeToAdmin,
    openings: [
      // Its parts fail with it: the menu and the actions of the account, and the pages of the admins.
      {
        file: 'account',
        open: nothing,
        failed: inSidebar,
        again: (page) => inSidebar(page).click(),
        shown: (page) => page.getByRole('region', { name: 'ADMIN' }),
      },
      // The bell fails with it. The rest of it is loaded again after half a minute.
      {
        file: 'signed-in',
        open: nothing,
        failed: (page) => page.getByRole('button', { name: 'Notifications could not be loaded. Try again' }),
        again: (page) => page.clock.runFor(30_000),
        shown: (page) => page.getByRole('link', { name: /^Messages ?\(\d+ unread\)/ }),
      },
    ],
  },
  {
    as: 'admin',
    openings: [
      // First, because it is fetched without scrolling some time later.
      {
        file: 'LoadedSections',
        open: scrollDown,
        shown: (page) => page.getByRole('button', { name: /^Poetry/ }),
      },
      {
        file: 'PostTools',
        open: nothing,
        failed: inPosts,
        again: (page) => inPosts(page).last().click(),
        shown: (page) => page.getByRole('button', { name: 'Report this post' }).first(),
      },
      { file: 'DetailDialog', open: press('Ana Lima'), shown: dialog },
      {
        file: 'SearchResults',
        open: async (page) => {
          await page.getByRole('combobox', { name: 'Search' }).clear()
          await page.getByRole('combobox', { name: 'Search' }).fill('evening')
        },
        shown: (page) => page.locator('#search-results'),
        again: (page) => page.getByRole('search').getByRole('button', { name: 'Try again' }).click(),
      },
      { file: 'other-pages', open: goTo('/diary'), shown: heading('My Diary') },
    ],
  },
  {
    as: 'admin',
    from: '/diary?view=paper',
    prepare: writeDay,
    openings: [
      { file: 'SaveMenu', open: press('Save as…'), shown: (page) => page.getByRole('menu') },
      exportToPdf('export-pdf'),
      {
        file: 'lower-parts',
        open: goTo('/settings'),
        shown: (page) => page.getByRole('button', { name: 'Delete account' }),
        // Several parts of the settings fail at a time.
        failed: inDeleteAccount,
        again: (page) => inDeleteAccount(page).click(),
      },
      {
        file: 'import-worker',
        open: chooseDay,
        shown: (page) => page.getByText(/^It comes from text files/),
        failed: (page) => page.getByText('The import could not be started.'),
        again: chooseDay,
      },
      { file: 'count-worker', open: goTo('/reports'), shown: (page) => page.getByText('Total Entries') },
    ],
  },
  { as: 'admin', from: '/diary?view=paper', prepare: writeDay, openings: [exportToPdf('pdf-worker')] },
  {
    as: 'admin',
    from: '/settings',
    openings: [
      {
        file: 'export-archive',
        open: async (page) => {
          await page.evaluate(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
          await press('Export everything')(page)
        },
        shown: (page) => page.getByText(/^Exported\./),
        failed: (page) => page.getByText(/^The export failed\./),
        again: (page) => Promise.all([page.waitForEvent('download'), press('Export everything')(page)]),
      },
    ],
  },
  {
    as: 'admin',
    from: '/diary',
    prepare: writeDay,
    openings: [
      {
        file: 'search-worker',
        open: (page) => page.getByRole('textbox', { name: 'Search your diary' }).fill('day'),
        shown: (page) => page.getByRole('link', { name: /A day\.$/ }),
      },
    ],
  },
  ...['local-copies', 'log-out-question'].map((file): Window => ({
    as: 'admin',
    from: '/diary',
    openings: [
      {
        file,
        open: async (page) => {
          await holdRequests(page, '**/api/diary')
          await page.getByRole('textbox', { name: /^Entry of/ }).fill('A line that is not saved yet')
          await page.clock.runFor(1000)
          await expect(page.getByText('Safe on this device')).toBeVisible()
          await press('Log Out')(page)
        },
        shown: (page) => page.getByRole('button', { name: 'Save and log out' }),
        failed: (page) => page.getByText('Drafts on this device could not be removed.'),
        again: async (page) => {
          await press('OK')(page)
          await press('Log Out')(page)
        },
      },
    ],
  })),
  {
    as: 'nobody',
    from: '/invitations?onboarding=true#a-link-that-is-over',
    openings: [
      {
        file: 'invitations',
        open: nothing,
        // The page then does not name the person who invites.
        failed: heading('About us'),
        again: (page) => page.reload(),
        shown: heading('About us'),
      },
    ],
  },
  {
    as: 'nobody',
    from: '/',
    prepare: turnGuestsOff,
    openings: [
      { file: 'restricted', open: nothing, shown: (page) => page.getByRole('button', { name: 'Next' }) },
    ],
  },
]

/** The name of a script without its hash. */
const partOf = ({ pathname }: URL) => /^\/assets\/(.+)-[\w-]{8}\.js$/.exec(pathname)?.[1] ?? ''

/** Lets the clock of the page run on, beyond the pauses after which the page fetches a script again. */
const runUntilVisible = (page: Page, part: Locator, andThat = () => true) =>
  expect(async () => {
    await page.clock.runFor(2000)
    expect(andThat()).toBe(true)
    await expect(part).toBeVisible({ timeout: 100 })
  }).toPass({ intervals: [20] })

/** Closes all dialogs. Without its clock the page would not end a transition. */
const closeDialogs = (page: Page) =>
  expect(async () => {
    if ((await page.getByRole('dialog').count()) === 0) return
    await page.keyboard.press('Escape')
    await page.clock.runFor(500)
    await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 100 })
  }).toPass({ intervals: [20] })

const withPost = new WeakSet<App>()

/** The feed has a long post, the same one for all tests of a worker. */
async function publishOnce(app: App) {
  if (withPost.has(app)) return
  withPost.add(app)
  await app.publish({ content: `An evening of many words.\n\n${'It was long and quiet. '.repeat(60)}` })
}

/** The admin has written on a day of the diary. */
async function writeDay({ admin }: App) {
  const input = { date: '2025-03-01', content: 'A day.' }
  await admin.client.does(saveDiaryEntry, { input }).catch(() => {})
}

/** The admin chooses a day to be imported. */
function chooseDay(page: Page) {
  return page
    .getByLabel('Choose files')
    .setInputFiles({ name: '2019-06-10.md', mimeType: 'text/plain', buffer: Buffer.from('Rain') })
}

// The instance is that of the files that run after this one.
test.afterAll(async ({ app }) => {
  const { client } = app.admin
  const { updatedAt: base } = await client.does(getInstanceSettings)
  if (base !== null)
    await client.does(changeInstanceSettings, {
      input: { base, guests: true },
    })
})

/** Admins have restricted who may enter. */
async function turnGuestsOff({ admin: { client } }: App) {
  const { updatedAt: base } = await client.does(getInstanceSettings)
  await client.does(changeInstanceSettings, { input: { base, guests: false } })
}

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

function importsOf(script: string) {
  const code = readFileSync(join(built, 'assets', script), 'utf8')
  return [...code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)].map(([, name]) => name!)
}

/** A script with all scripts that it imports. */
function withImports(script: string, found = new Set<string>()): Set<string> {
  if (found.has(script)) return found
  found.add(script)
  for (const name of importsOf(script)) withImports(name, found)
  return found
}

// It would use what the other script has not made yet, and the page would stay empty.
test('no script of the build imports itself through other scripts', () => {
  const isInCircle = (script: string) => importsOf(script).some((name) => withImports(name).has(script))
  expect(assets.filter(isInCircle)).toEqual([])
})

for (const { as, from: start = '/dashboard', prepare, openings } of windows)
  test(`a person for whom the scripts of ${openings.map(({ file }) => file).join(', ')} are missing keeps the frame and the typed text, and can load them again [R22 ERR-29]`, async ({
    page,
    app,
    forgive,
  }) => {
    forgive(
      /Failed to load resource|Failed to fetch dynamically|Login failed|error loading|^Object$|Event|export|worker/i,
    )
    await publishOnce(app)
    await prepare?.(app)
    if (as === 'admin') await shareSession(page, app.admin)
    await page.clock.install()
    const missing = new Set(openings.map(({ file }) => file))
    const refused = new Set<string>()
    await page.route(
      (url) => missing.has(partOf(url)),
      (route) => {
        refused.add(partOf(new URL(route.request().url())))
        return route.abort()
      },
    )
    await page.goto(start)
    await page.mouse.move(10, 10)
    const search = page.locator('input[role=combobox]')
    if (as !== 'nobody') {
      await search.fill('evening')
      await search.blur()
    }
    for (const { file, open, shown, failed = tryAgain, again } of openings)
      await test.step(file, async () => {
        await closeDialogs(page)
        const isFailed = runUntilVisible(page, failed(page).first(), () => refused.has(file))
        await open(page)
        await isFailed
        const expectFrame = async () => {
          if (as === 'nobody') return
          expect(await page.locator('header a[aria-label="Z!mmer"]').count(), 'the frame is shown').toBe(1)
          expect(await search.inputValue()).toBe('evening')
        }
        await expectFrame()
        missing.delete(file)
        await (again ?? (() => tryAgain(page).last().click()))(page)
        await runUntilVisible(page, shown(page))
        await expectFrame()
      })
  })

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

test('a person for whom the part that installs the program is missing uses the page as before [R22 OWN-01]', async ({
  page,
  forgive,
}) => {
  forgive(/Failed to load resource|Failed to fetch dynamically/)
  const refused: string[] = []
  await page.route('**/assets/app-status-*.js', (route) => {
    refused.push(route.request().url())
    return route.abort()
  })
  await page.clock.install()
  await page.goto('/about')
  await expect(async () => {
    await page.clock.runFor(2000)
    expect(refused).toHaveLength(1)
  }).toPass({ intervals: [20] })
  await page.getByRole('link', { name: 'Z!mmer', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
})

test('a reader who cancels an article whose file is missing reads on in the feed [R22 SHELL-94]', async ({
  page,
  app,
  forgive,
}) => {
  forgive(/Failed to load resource|Failed to fetch dynamically|Login failed|^Object$/i)
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
