import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { login } from '#contract/account/endpoints.ts'
import { addModerator } from '#contract/account/moderators/endpoints.ts'
import { suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { listAdminUsers } from '#contract/admin/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { changePost, getOwnPost } from '#contract/feed/own/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { changeInstanceSettings, getInstanceSettings } from '#contract/instance/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { type App, expect, holdRequests, shareSession, signIn, test } from './test.ts'
import { makeRoom } from './people.ts'

test.describe.configure({ mode: 'parallel' })
// Nobody goes to this provider, and no mail is sent.
test.use({
  settings: {
    PUBLIC_ORIGIN: 'http://zimmer.example',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'desk@zimmer.example',
    OIDC_ISSUER: 'https://login.example',
    OIDC_CLIENT_ID: 'zimmer',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_NAME: 'The Library',
  },
})

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

/** One window, in which these parts are opened one after the other. None of them is part of one before it. */
interface Window {
  as: 'admin' | 'moderator' | 'visitor' | 'nobody'
  /** The first page; the feed when left out. */
  from?: string
  phone?: true
  /** What the browser logs about requests that an opening itself blocks. */
  forgiven?: RegExp
  /** Gives the admin what the parts show. */
  prepare?: (app: App) => Promise<unknown>
  openings: Opening[]
}

const go = (path: string) => (page: Page) => page.evaluate((to) => history.pushState(null, '', to), path)
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const dialog = (page: Page) => page.getByRole('dialog').last()
const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name })
const part = (name: string) => (page: Page) => page.getByRole('heading', { level: 2, name })
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })
const inPosts = (page: Page) => tryAgain(page).and(page.getByRole('article').getByRole('button'))
const inMain = (page: Page) => tryAgain(page).and(page.getByRole('main').getByRole('button'))
const inSidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('button')
const nothing = async () => {}
const scrollDown = (page: Page) =>
  page.getByRole('heading', { name: 'Browse by category' }).evaluate((heading) => heading.scrollIntoView())

/** Opens a part from a page of the site. */
const from = (path: string, open: Opening['open']) => async (page: Page) => {
  await go(path)(page)
  await open(page)
}
const openArticle = (page: Page) => page.getByRole('link', { name: 'Continue reading' }).first().click()
const openRoom = (page: Page) => page.getByRole('link', { name: 'The long night' }).first().click()
const openConversation = press(/^Ben Okafor/)

/** Several parts of the settings fail at a time. */
function inSettings(name: string): Pick<Opening, 'failed' | 'again'> {
  const failed = (page: Page) => page.locator(`#part-${name}`).getByRole('button', { name: 'Try again' })
  return { failed, again: (page) => failed(page).click() }
}

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
      {
        file: 'menu',
        open: (page) => page.locator('header [aria-haspopup=menu]').click(),
        shown: (page) => page.getByRole('menuitem', { name: 'Settings' }),
      },
      { file: 'BellContent', open: press(/^Notifications/), shown: dialog },
    ],
  },
  {
    as: 'admin',
    openings: [
      {
        file: 'ReportPost',
        open: nothing,
        // Other parts of the feed need some of the same scripts, and fail with it.
        failed: inPosts,
        again: (page) => inPosts(page).last().click(),
        shown: (page) => page.getByRole('button', { name: 'Report this post' }).first(),
      },
    ],
  },
  {
    as: 'admin',
    openings: [
      {
        file: 'ErasePost',
        open: nothing,
        failed: inPosts,
        again: (page) => inPosts(page).last().click(),
        shown: (page) => page.getByRole('button', { name: 'Erase this post' }).first(),
      },
    ],
  },
  {
    as: 'admin',
    prepare: publishOwnPost,
    openings: [
      {
        file: 'PostTools',
        open: nothing,
        failed: inPosts,
        again: (page) => inPosts(page).last().click(),
        // The last post may be that of somebody else.
        shown: (page) => page.getByRole('button', { name: /^(Your|Report this) post$/ }).first(),
      },
    ],
  },
  {
    as: 'admin',
    prepare: publishOwnPost,
    openings: [
      {
        file: 'OwnPostMenu',
        open: nothing,
        failed: inPosts,
        again: (page) => inPosts(page).last().click(),
        shown: ownMenu,
      },
      { file: 'VersionsDialog', open: openVersions, shown: dialog },
      {
        file: 'TextDifference',
        open: async (page) => {
          await openVersions(page)
          await dialog(page)
            .getByRole('button', { name: /^An early lamp/ })
            .click()
        },
        shown: (page) => dialog(page).locator('ins, del').first(),
      },
    ],
  },
  {
    as: 'admin',
    prepare: publishOwnPost,
    openings: [
      { file: 'WritePage', open: go('/write'), shown: (page) => page.getByLabel('Your text') },
      {
        file: 'PublishDialog',
        open: from('/write', async (page) => {
          await page.getByLabel('Your text').fill('A lamp')
          await press('Publish…')(page)
        }),
        shown: dialog,
      },
      { file: 'YourWritingPage', open: go('/writing'), shown: heading('Your writing') },
      {
        file: 'TimeDialog',
        open: from('/writing?list=scheduled', press(/^Change time/)),
        shown: dialog,
      },
      { file: 'ReadLaterPage', open: go('/read-later'), shown: heading('Read later') },
      { file: 'FollowingPage', open: go('/following'), shown: heading('From people you follow') },
      {
        file: 'ChangePage',
        open: (page) => go(`/write/post/${ownPostId}`)(page),
        shown: (page) => page.getByLabel('Your text'),
      },
      {
        file: 'SearchResults',
        open: async (page) => {
          await page.getByRole('combobox', { name: 'Search' }).clear()
          await page.getByRole('combobox', { name: 'Search' }).fill('evening')
        },
        shown: (page) => page.locator('#search-results'),
        again: (page) => page.getByRole('search').getByRole('button', { name: 'Try again' }).click(),
      },
    ],
  },
  {
    as: 'admin',
    phone: true,
    openings: [
      { file: 'MenuSheet', open: press('Menu'), shown: dialog },
      { file: 'AccountSheet', open: press('Account'), shown: dialog },
    ],
  },
  {
    as: 'admin',
    openings: [
      {
        file: 'LoadedSections',
        open: scrollDown,
        shown: (page) => page.getByRole('button', { name: /^Poetry/ }),
      },
      { file: 'ShortcutList', open: (page) => page.keyboard.press('?'), shown: dialog },
      { file: 'CreatePostDialog', open: (page) => page.keyboard.press('n'), shown: dialog },
      { file: 'EntryDialog', open: press('Enter the competition'), shown: dialog },
      { file: 'ChangePasswordDialog', open: press('Change Password'), shown: dialog },
      { file: 'ArticleDialog', open: openArticle, shown: dialog },
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
        open: press('Amara Okonjo'),
        shown: (page) => page.getByRole('link', { name: 'All creators' }),
      },
      { file: 'CardsDialog', open: press('Show all of Trending posts for you'), shown: dialog },
      { file: 'CategoryDialog', open: press('Show all of Browse by category'), shown: dialog },
      {
        file: 'ArticlePage',
        open: (page) =>
          page
            .getByRole('link', { name: 'Continue reading' })
            .first()
            .evaluate((link: HTMLAnchorElement) => history.pushState(null, '', link.href)),
        shown: (page) => page.getByRole('link', { name: 'Go to the feed' }),
      },
    ],
  },
  // Before the pages that it names.
  {
    as: 'admin',
    openings: [{ file: 'other-pages', open: go('/diary'), shown: heading('My Diary') }],
  },
  // Before the creators, which are part of these rooms.
  {
    as: 'admin',
    openings: [
      // Before RoomsPage, which imports the same script.
      { file: 'ShelfPage', open: go('/projects/finished'), shown: heading('Finished stories') },
      // Before Rooms, which imports the same script.
      { file: 'RoomsPage', open: go('/projects'), shown: heading('Z!mmers') },
      { file: 'Rooms', open: go('/zimmers'), shown: heading('Z!mmer Profiles') },
    ],
  },
  {
    as: 'admin',
    prepare: ({ signUp }) => signUp(),
    openings: [
      { file: 'CreatorsPage', open: go('/zimmers'), shown: heading('Z!mmer Profiles') },
      { file: 'MoreList', open: go('/zimmers'), shown: part('More') },
      { file: 'PortfolioDialog', open: press('Freya Nilsen'), shown: dialog },
      { file: 'ManageCategoriesDialog', open: press('Manage Categories'), shown: dialog },
      { file: 'AdminPage', open: go('/admin'), shown: heading('Admin Panel') },
      {
        file: 'AuditLog',
        open: go('/admin?part=log'),
        shown: (page) => page.getByLabel('Action', { exact: true }),
      },
      {
        file: 'UnsentMails',
        open: go('/admin?part=mails'),
        shown: (page) => page.getByText('Every mail was sent'),
      },
      { file: 'SignUps', open: go('/admin?part=sign-ups'), shown: part('Waiting for a decision') },
      { file: 'InstanceForm', open: go('/admin?part=instance'), shown: part('About this instance') },
      {
        file: 'Webhooks',
        open: go('/admin?part=webhooks'),
        shown: (page) => page.getByLabel('Address', { exact: true }),
      },
      { file: 'UserManagementPage', open: go('/admin-users'), shown: heading('User Management') },
      { file: 'ResetLinkDialog', open: press(/^Reset the passcode of/), shown: dialog },
      { file: 'SearchPage', open: go('/search'), shown: heading('Search') },
    ],
  },
  {
    as: 'admin',
    openings: [
      { file: 'PostManager', open: go('/admin'), shown: part('Pending submissions') },
      { file: 'AllPosts', open: go('/admin?part=all-posts'), shown: part('All posts') },
      { file: 'CreateContent', open: go('/admin?part=create-content'), shown: part('Create an article') },
      { file: 'Allowances', open: go('/admin?part=limits'), shown: part('Add an allowance') },
      { file: 'Analytics', open: go('/admin?part=analytics'), shown: part('Posts per day') },
      { file: 'GenerateDialog', open: from('/admin', press('Generate content')), shown: dialog },
      { file: 'ReportList', open: go('/admin?part=reports'), shown: heading('Reports of readers') },
    ],
  },
  {
    as: 'admin',
    from: '/admin',
    prepare: ({ submit }) => submit({ content: 'A lamp that waits' }),
    openings: [
      { file: 'ReadingPane', open: press(/^Open the post of/), shown: dialog },
      { file: 'DecisionDialog', open: press(/^Decide with a reason about/), shown: dialog },
    ],
  },
  {
    as: 'moderator',
    openings: [
      { file: 'ModerationPage', open: go('/admin'), shown: heading('Moderation') },
      {
        file: 'ModeratedPeople',
        open: go('/admin?part=suspensions'),
        shown: (page) => page.getByRole('searchbox', { name: 'Search people' }),
      },
    ],
  },
  {
    as: 'admin',
    prepare: ({ admin }) => admin.client.does(changeSettings, { input: { hasPage: true } }),
    openings: [
      { file: 'DiaryPage', open: go('/diary'), shown: heading('My Diary') },
      {
        file: 'PaperView',
        open: go('/diary?view=paper'),
        shown: (page) => page.getByText('No diary entries yet...'),
      },
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
      {
        file: 'lower-parts',
        open: go('/settings'),
        shown: (page) => page.getByRole('button', { name: 'Delete account' }),
        ...inSettings('delete-account'),
        // The next openings need two of the other parts, which have failed with the same script.
        again: async (page) => {
          for (const name of ['literary-magazine', 'notifications', 'delete-account'])
            await inSettings(name).again!(page)
        },
      },
      {
        file: 'IssueUpload',
        open: go('/settings'),
        shown: (page) => page.getByLabel('New issue'),
        ...inSettings('literary-magazine'),
      },
      {
        file: 'YourWords',
        open: go('/settings'),
        shown: (page) => page.getByRole('button', { name: 'Export everything' }),
        ...inSettings('your-words'),
      },
      {
        file: 'OwnAwayNotifications',
        open: go('/settings'),
        shown: (page) => page.getByRole('switch', { name: 'Weekly digest' }),
        ...inSettings('notifications'),
      },
      { file: 'PeoplePage', open: go('/users'), shown: heading('People') },
      { file: 'AboutPage', open: go('/about'), shown: (page) => page.getByText(/^Version 1/) },
      { file: 'MessagesPage', open: go('/messages'), shown: heading('Messages') },
      {
        file: 'InvitationPage',
        open: go('/invitations'),
        shown: heading('This invitation is no longer open'),
      },
      { file: 'AwayNotificationsPage', open: go('/notices'), shown: heading('This link is no longer good') },
      { file: 'SetupPage', open: go('/setup'), shown: heading('Set up this instance') },
      { file: 'ConfirmationPage', open: go('/mail'), shown: heading('This link is no longer good') },
      { file: 'OpenidPage', open: go('/openid'), shown: heading('Nothing was changed') },
      { file: 'ResetPage', open: go('/reset'), shown: heading('Forgot your passcode?') },
      { file: 'VerifyPage', open: go('/verify'), shown: heading('Verify a story') },
      { file: 'Welcome', open: go('/?tab=cellar'), shown: heading('Welcome to Z!mmer') },
    ],
  },
  {
    as: 'admin',
    prepare: (app) => Promise.all([makeRoom(app.admin), writeToAdmin(app), suspendWriter(app)]),
    openings: [
      { file: 'DayDialog', open: from('/diary', (page) => page.locator('h2 button').click()), shown: dialog },
      { file: 'RoomForm', open: from('/projects', press('Create')), shown: dialog },
      { file: 'RoomPage', open: openRoom, shown: heading('The long night') },
      { file: 'SigningDialog', open: press('Change how you sign'), shown: dialog },
      { file: 'AddFriendDialog', open: from('/messages', press('Add Friend')), shown: dialog },
      {
        file: 'ConversationPane',
        open: openConversation,
        shown: (page) => page.getByPlaceholder('Write a message…'),
      },
      {
        file: 'ShareDiaryDialog',
        open: async (page) => {
          await press('Share Diary Entry')(page)
        },
        shown: dialog,
      },
      { file: 'ReportDialog', open: press('Report'), shown: dialog },
      { file: 'SuspendDialog', open: from('/admin-users', press(/^Suspension of/)), shown: dialog },
      { file: 'count-worker', open: go('/reports'), shown: (page) => page.getByText('Total Entries') },
    ],
  },
  // The talk is a part of the table.
  ...['Table', 'Talk'].map((file): Window => ({
    as: 'admin',
    prepare: ({ admin }) => makeRoom(admin, { name: 'A round', turns: 'round' }),
    openings: [
      {
        file,
        open: from('/projects', (page) => page.getByRole('link', { name: 'A round' }).first().click()),
        shown: (page) => page.getByRole('button', { name: /^Talk/ }),
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
        // Who invites is left out.
        failed: heading('About us'),
        again: (page) => page.reload(),
        shown: heading('About us'),
      },
    ],
  },
  {
    as: 'visitor',
    prepare: setUpInstance,
    openings: [
      {
        file: 'AnnouncementBar',
        open: nothing,
        failed: (page) => tryAgain(page).first(),
        again: (page) => tryAgain(page).first().click(),
        shown: (page) => page.getByRole('region', { name: 'Announcement' }),
      },
      {
        file: 'InstanceLinks',
        open: nothing,
        failed: (page) => tryAgain(page).last(),
        shown: (page) => page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }),
      },
      { file: 'InstanceTextPage', open: go('/privacy'), shown: heading('Privacy') },
      { file: 'AdminRefusal', open: go('/admin'), shown: heading('Admins only') },
    ],
  },
  {
    as: 'nobody',
    from: '/',
    openings: [
      { file: 'OnboardingPage', open: nothing, shown: heading('About us') },
      { file: 'steps', open: press('Next'), shown: (page) => page.getByLabel('Name', { exact: true }) },
    ],
  },
  {
    as: 'nobody',
    from: '/',
    prepare: suspendWriter,
    openings: [
      {
        file: 'SuspendedNotice',
        open: async (page) => {
          await page.getByLabel('Email').fill(suspended.email)
          await page.getByLabel('Passcode').fill(suspended.password)
          await press('Sign In')(page)
        },
        shown: (page) => page.getByText('Your account is suspended for good.'),
      },
    ],
  },
  ...['FoundDays', 'search-worker'].map((file): Window => ({
    as: 'admin',
    from: '/diary',
    prepare: writeDay,
    openings: [
      {
        file,
        open: (page) => page.getByRole('textbox', { name: 'Search your diary' }).fill('day'),
        shown: (page) => page.getByRole('link', { name: /A day\.$/ }),
      },
    ],
  })),
  {
    as: 'admin',
    from: '/diary?view=paper',
    prepare: writeDay,
    openings: [{ file: 'SaveMenu', open: press('Save as…'), shown: (page) => page.getByRole('menu') }],
  },
  ...['export-pdf', 'pdf-worker'].map((file): Window => ({
    as: 'admin',
    from: '/diary?view=paper',
    prepare: writeDay,
    openings: [
      {
        file,
        open: press('Export to PDF'),
        shown: (page) => page.getByRole('button', { name: 'Export to PDF' }),
        failed: (page) => page.getByText('The diary could not be exported.'),
        again: (page) => Promise.all([page.waitForEvent('download'), press('Export to PDF')(page)]),
      },
    ],
  })),
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
    from: '/settings',
    openings: [
      {
        file: 'import-worker',
        open: chooseDay,
        shown: (page) => page.getByText(/^It comes from text files/),
        failed: (page) => page.getByText('The import could not be started.'),
        again: chooseDay,
      },
    ],
  },
  {
    as: 'admin',
    from: '/diary',
    forgiven: /Failed to save the diary entry/,
    openings: [
      {
        file: 'UnsentDialog',
        open: async (page) => {
          await page.route('**/api/diary/save', (route) => route.abort())
          await page.getByRole('textbox', { name: /^Entry of/ }).fill('A line that waits')
          await press('Save Entry')(page)
          await press(/waits on this device/)(page)
        },
        shown: dialog,
      },
    ],
  },
  // After the pages of diary and calendar, which import some of the same scripts.
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
    from: '/',
    openings: [
      {
        file: 'OpenidEntry',
        open: nothing,
        shown: (page) => page.getByRole('button', { name: 'Continue with The Library' }),
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
  // The last one: most of its scripts are those of other parts of the feed.
  {
    as: 'admin',
    openings: [{ file: 'EraseDialog', open: press('Erase this post'), shown: dialog }],
  },
]

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

/** A person whom the admin has made a moderator. */
async function makeModerator({ admin, signUp }: App) {
  const person = await signUp({ password: 'a long moderator passcode' })
  await admin.client.does(addModerator, { params: { id: person.user.id } })
  const { email, password } = person
  await person.client.does(login, { input: { email, password } })
  return person
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

let ownPostId = ''

/** The admin has a post of their own in the feed, with an earlier text, and a scheduled one. */
async function publishOwnPost({ admin: { client } }: App) {
  const publishAt = new Date(Date.now() + 86_400_000).toISOString()
  await client.does(submitPost, {
    input: { content: 'A lamp of tomorrow', authorName: 'Ana Lima', type: 'premium', publishAt },
  })
  const input = { content: 'An early lamp', authorName: 'Ana Lima', type: 'premium' } as const
  const { id } = await client.does(submitPost, { input })
  const { updatedAt: base } = await client.does(getOwnPost, { params: { id } })
  await client.does(changePost, { params: { id }, input: { content: 'A late lamp', base } })
  ownPostId = id
}

function ownMenu(page: Page) {
  return page.getByRole('button', { name: 'Your post' }).first()
}

async function openVersions(page: Page) {
  await ownMenu(page).click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
}

/** The instance has a text about privacy and an announcement. */
async function setUpInstance({ admin: { client } }: App) {
  const { updatedAt: base } = await client.does(getInstanceSettings)
  const announcement = { text: 'We meet on Friday.', link: null, endsAt: '2100-01-01T12:00:00.000Z' }
  await client.does(changeInstanceSettings, {
    input: { base, privacy: 'Your diary is yours.', announcement },
  })
}

// The instance is that of the files that run after this one.
test.afterAll(async ({ app }) => {
  const { client } = app.admin
  const { updatedAt: base } = await client.does(getInstanceSettings)
  if (base !== null)
    await client.does(changeInstanceSettings, {
      input: { base, guests: true, privacy: '', announcement: null },
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

// Each script is blocked by the first opening that needs it, together with the others: one is enough for the part to fail.
const seen = withImports(entry)
const blocking = windows.map(({ openings, ...rest }) => ({
  ...rest,
  cases: openings.map((opening) => {
    const script = assets.find((name) => name.replace(/-[\w-]{8}\.js$/, '') === opening.file)
    const needed = script === undefined ? [] : [...withImports(script)].filter((name) => !seen.has(name))
    for (const name of needed) seen.add(name)
    return { ...opening, needed }
  }),
}))

// Nobody waits for this part, and its failure is not shown: a test below blocks it.
const status = assets.find((name) => name.startsWith('app-status-'))!
const statusScripts = [...withImports(status)].filter((name) => !seen.has(name))
for (const name of statusScripts) seen.add(name)

test('every script of the build but the first is blocked by one of these tests [R22]', () => {
  expect(assets.filter((name) => !seen.has(name))).toEqual([])
})

// It would use what the other script has not made yet, and the page would stay empty.
test('no script of the build imports itself through other scripts', () => {
  const isInCircle = (script: string) => importsOf(script).some((name) => withImports(name).has(script))
  expect(assets.filter(isInCircle)).toEqual([])
})

test('each of these tests blocks a script of the build [R22]', () => {
  const all = blocking.flatMap(({ cases }) => cases)
  expect(all.filter(({ needed }) => needed.length === 0).map(({ file }) => file)).toEqual([])
  expect(statusScripts).toContain(status)
})

for (const { as, from: start = '/dashboard', phone, forgiven, prepare, cases } of blocking)
  test(`a person for whom the scripts of ${cases.map(({ file }) => file).join(', ')} are missing keeps the frame and the typed text, and can load them again [R22 ERR-29]`, async ({
    page,
    app,
    forgive,
  }) => {
    // Many parts in one window.
    test.setTimeout(120_000 + 20_000 * cases.length)
    forgive(
      /Failed to load resource|Failed to fetch dynamically|Login failed|error loading|^Object$|Event|export|worker/i,
    )
    if (forgiven) forgive(forgiven)
    await publishOnce(app)
    await prepare?.(app)
    if (as === 'admin') await shareSession(page, app.admin)
    if (as === 'moderator') await shareSession(page, await makeModerator(app))
    if (as === 'visitor') await page.addInitScript(() => sessionStorage.setItem('browsing', 'true'))
    if (phone) await page.setViewportSize({ width: 390, height: 844 })
    await page.clock.install()
    const missing = new Set(cases.flatMap(({ needed }) => needed))
    const refused = new Set<string>()
    await page.route(
      ({ pathname }) => missing.has(basename(pathname)),
      (route) => {
        refused.add(basename(new URL(route.request().url()).pathname))
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
    for (const { file, open, shown, failed = tryAgain, again, needed } of cases)
      await test.step(file, async () => {
        await closeDialogs(page)
        const isRefused = () => needed.some((name) => refused.has(name))
        const isFailed = runUntilVisible(page, failed(page).first(), isRefused)
        await open(page)
        await isFailed
        const expectFrame = async () => {
          if (as === 'nobody') return
          expect(await page.locator('header a[aria-label="Z!mmer"]').count(), 'the frame is shown').toBe(1)
          expect(await search.inputValue()).toBe('evening')
        }
        await expectFrame()
        for (const name of needed) missing.delete(name)
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

const suspended = { email: 'suspended@example.org', password: 'lamps and ink 9' }

async function suspendWriter({ admin, signUp }: App) {
  const known = await admin.client.does(listAdminUsers, { query: { q: suspended.email } })
  const id = known[0]?.id ?? (await signUp(suspended)).user.id
  const input = { reason: 'Unkind.', until: null, hidesTexts: false }
  await admin.client.does(suspendPerson, { params: { id }, input })
}
