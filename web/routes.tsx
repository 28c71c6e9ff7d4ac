import { type ComponentType, Suspense } from 'react'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { invitationPath } from '#contract/invitations/path.ts'
import { shelfPath } from '#contract/rooms/paths.ts'
import { expectsSession, useSession } from '#web/features/account/index.ts'
import { ArticleDialog } from '#web/features/feed/article-part.tsx'
import { useInterval } from '#web/lib/interval.ts'
import { isBrowsing } from '#web/lib/session-storage.ts'
import { AdminOnly } from '#web/shell/AdminOnly.tsx'
import { registerPage } from '#web/shell/preload.ts'
import { failedPage } from '#web/shell/failed-page.tsx'
import { part } from '#web/ui/part.tsx'

/** A page that is fetched when it is opened, or pointed at. */
function page<Name extends string, Props extends object>(
  path: string,
  name: Name,
  load: () => Promise<Record<Name, ComponentType<Props>>>,
) {
  const Page = part(async () => (await load())[name], failedPage)
  registerPage(path, Page.preload)
  return Page
}

const PeoplePage = page('/users', 'PeoplePage', () => import('#web/features/people/PeoplePage.tsx'))
const PersonPage = page('/people/:id', 'PersonPage', () => import('#web/features/people/PersonPage.tsx'))
const SettingsPage = page(
  '/settings',
  'SettingsPage',
  () => import('#web/features/settings/SettingsPage.tsx'),
)
const DiaryPage = page('/diary', 'DiaryPage', () => import('#web/features/diary/DiaryPage.tsx'))
const CalendarPage = page(
  '/calendar',
  'CalendarPage',
  () => import('#web/features/calendar/CalendarPage.tsx'),
)
const ReportsPage = page('/reports', 'ReportsPage', () => import('#web/features/reports/ReportsPage.tsx'))
const AdminPage = page('/admin', 'AdminPage', () => import('#web/features/admin/AdminPage.tsx'))
const UserManagementPage = page(
  '/admin-users',
  'UserManagementPage',
  () => import('#web/features/admin/UserManagementPage.tsx'),
)
const RoomsPage = page('/projects', 'RoomsPage', () => import('#web/features/rooms/RoomsPage.tsx'))
const ShelfPage = page(shelfPath, 'ShelfPage', () => import('#web/features/rooms/ShelfPage.tsx'))
const StoryOfRoom = page('/stories/:id', 'RoomPage', () => import('#web/features/rooms/room/RoomPage.tsx'))
const Rooms = page('/zimmers', 'Rooms', () => import('#web/shell/Rooms.tsx'))
const MessagesPage = page(
  '/messages',
  'MessagesPage',
  () => import('#web/features/messages/MessagesPage.tsx'),
)
const InvitationPage = page(
  invitationPath,
  'InvitationPage',
  () => import('#web/features/invitations/InvitationPage.tsx'),
)
const AboutPage = page('/about', 'AboutPage', () => import('#web/features/about/AboutPage.tsx'))

const Welcome = part(async () => (await import('#web/shell/Welcome.tsx')).Welcome, failedPage)

/** The onboarding page, shown to visitors without a session. */
export const OnboardingPage = part(
  async () => (await import('#web/features/onboarding/OnboardingPage.tsx')).OnboardingPage,
  failedPage,
)
const FeedPage = page('/dashboard', 'FeedPage', () => import('#web/features/feed/FeedPage.tsx'))
// `/theme.js` has requested the files of these two addresses already, by the same rules.
registerPage('/posts/:id', () => Promise.all([FeedPage.preload(), ArticleDialog.preload()]))
registerPage('/', expectsSession() || isBrowsing() ? FeedPage.preload : OnboardingPage.preload)

const Inbox = part(async () => (await import('#web/features/messages/Inbox.tsx')).Inbox, failedInbox)
const tryInboxAgainMs = 30_000

/** Receives the messages of the signed-in person, whatever page is open. */
export function InboxOfPerson() {
  const { state, user } = useSession()
  return <Suspense>{state === 'registered' && <Inbox key={user.id} personId={user.id} />}</Suspense>
}

/** Nobody has asked for the inbox, so its failure is not shown. */
function failedInbox(tryAgain: () => void) {
  return <TryAgainLater onTryAgain={tryAgain} />
}

function TryAgainLater({ onTryAgain }: { onTryAgain: () => void }) {
  useInterval(tryInboxAgainMs, onTryAgain)
  return null
}

/** The tabs by name, as `?tab=` takes them. */
const tabs = new Map([
  ['diary', '/diary'],
  ['projects', '/projects'],
  ['users', '/users'],
  ['zimmers', '/zimmers'],
  ['creator-profiles', '/zimmers'],
  ['calendar', '/calendar'],
  ['messages', '/messages'],
  ['reports', '/reports'],
  ['settings', '/settings'],
  ['user-management', '/admin-users'],
])

/** Every page inside the frame. */
export function Pages() {
  return (
    <Switch>
      <Route path="/" component={Dashboard} />
      <Route path="/dashboard" component={Dashboard} />
      <Route path="/posts/:id" component={Dashboard} />
      <Route path="/diary" component={DiaryPage} />
      <Route path="/projects" component={RoomsPage} />
      <Route path={shelfPath} component={ShelfPage} />
      <Route path="/stories/:id">{({ id }) => <StoryOfRoom key={id} id={id} />}</Route>
      <Route path="/users" component={PeoplePage} />
      <Route path="/people/:id">{({ id }) => <PersonPage key={id} id={id} />}</Route>
      <Route path="/zimmers" component={Rooms} />
      <Route path="/calendar" component={CalendarPage} />
      <Route path="/messages" component={MessagesPage} />
      <Route path={invitationPath} component={InvitationPage} />
      <Route path="/reports" component={ReportsPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/admin">
        <AdminOnly>
          <AdminPage />
        </AdminOnly>
      </Route>
      <Route path="/admin-users">
        <AdminOnly>
          <UserManagementPage />
        </AdminOnly>
      </Route>
      <Route path="/about" component={AboutPage} />
    </Switch>
  )
}

/** The feed, also under an article that is opened by its address. */
function Dashboard({ params: { id } }: { params: { id?: string } }) {
  const tab = new URLSearchParams(useSearch()).get('tab')
  if (id !== undefined) return <FeedPage articleId={id} />
  if (tab === null || tab === 'dashboard') return <FeedPage />
  const path = tabs.get(tab)
  return path === undefined ? <Welcome /> : <Redirect to={path} replace />
}
