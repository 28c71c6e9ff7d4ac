import type { ComponentType } from 'react'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { setupPath } from '#contract/account/setup/path.ts'
import { invitationPath } from '#contract/invitations/path.ts'
import { mailPath } from '#contract/mails/path.ts'
import { openidPath } from '#contract/openid/path.ts'
import { awayNotificationsPath } from '#contract/away-notifications/path.ts'
import { resetPath } from '#contract/password-resets/path.ts'
import { verifyPath } from '#contract/rooms/credit/paths.ts'
import { shelfPath } from '#contract/rooms/paths.ts'
import { AdminOnly } from '#web/shell/AdminOnly.tsx'
import { failedPage } from '#web/shell/failed-page.tsx'
import { registerPage } from '#web/shell/preload.ts'
import { part } from '#web/ui/part.tsx'

/** A page that is fetched when it is opened, or pointed at. */
function page<Name extends string, Props extends object>(
  path: string,
  name: Name,
  load: () => Promise<Record<Name, ComponentType<Props>>>,
) {
  const Page = part(async () => (await load())[name], failedPage, null)
  registerPage(path, Page.preload)
  return Page
}

const route = <Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
) => <Route key={path} path={path} component={page(path, name, load)} />

const loadInstanceTextPage = () => import('#web/features/instance/InstanceTextPage.tsx')

const routes = [
  route('/diary', 'DiaryPage', () => import('#web/features/diary/DiaryPage.tsx')),
  route('/projects', 'RoomsPage', () => import('#web/features/rooms/RoomsPage.tsx')),
  route(shelfPath, 'ShelfPage', () => import('#web/features/rooms/ShelfPage.tsx')),
  route('/users', 'PeoplePage', () => import('#web/features/people/PeoplePage.tsx')),
  route('/zimmers', 'Rooms', () => import('#web/shell/Rooms.tsx')),
  route('/calendar', 'CalendarPage', () => import('#web/features/calendar/CalendarPage.tsx')),
  route('/messages', 'MessagesPage', () => import('#web/features/messages/MessagesPage.tsx')),
  route(invitationPath, 'InvitationPage', () => import('#web/features/invitations/InvitationPage.tsx')),
  route(resetPath, 'ResetPage', () => import('#web/features/password-resets/ResetPage.tsx')),
  route(openidPath, 'OpenidPage', () => import('#web/features/openid/OpenidPage.tsx')),
  route(setupPath, 'SetupPage', () => import('#web/features/setup/SetupPage.tsx')),
  route(mailPath, 'ConfirmationPage', () => import('#web/features/mails/ConfirmationPage.tsx')),
  route(
    awayNotificationsPath,
    'AwayNotificationsPage',
    () => import('#web/features/away-notifications/AwayNotificationsPage.tsx'),
  ),
  route(verifyPath, 'VerifyPage', () => import('#web/features/verify/VerifyPage.tsx')),
  route('/search', 'SearchPage', () => import('#web/features/search/SearchPage.tsx')),
  route('/reports', 'ReportsPage', () => import('#web/features/reports/ReportsPage.tsx')),
  route('/settings', 'SettingsPage', () => import('#web/features/settings/SettingsPage.tsx')),
  route('/writing', 'YourWritingPage', () => import('#web/features/own-posts/YourWritingPage.tsx')),
  route('/read-later', 'ReadLaterPage', () => import('#web/features/bookmarks/ReadLaterPage.tsx')),
  route('/following', 'FollowingPage', () => import('#web/features/feed/FollowingPage.tsx')),
  route('/terms', 'TermsPage', loadInstanceTextPage),
  route('/privacy', 'PrivacyPage', loadInstanceTextPage),
  route('/rules', 'RulesPage', loadInstanceTextPage),
  route('/about', 'AboutPage', () => import('#web/features/about/AboutPage.tsx')),
]
const StoryOfRoom = page('/stories/:id', 'RoomPage', () => import('#web/features/rooms/room/RoomPage.tsx'))
const WritePage = page('/write/:id', 'WritePage', () => import('#web/features/posts/WritePage.tsx'))
registerPage('/write', WritePage.preload)
const ChangePage = page('/write/post/:id', 'ChangePage', () => import('#web/features/posts/ChangePage.tsx'))
const PersonPage = page('/people/:id', 'PersonPage', () => import('#web/features/people/PersonPage.tsx'))
const AdminPage = page('/admin', 'AdminPage', () => import('#web/features/admin/AdminPage.tsx'))
/** Has the address of the admins. Their page is the one that is fetched ahead. */
const ModerationPage = part(
  async () => (await import('#web/features/admin/ModerationPage.tsx')).ModerationPage,
  failedPage,
  null,
)
const UserManagementPage = page(
  '/admin-users',
  'UserManagementPage',
  () => import('#web/features/admin/UserManagementPage.tsx'),
)

const Welcome = part(async () => (await import('#web/shell/Welcome.tsx')).Welcome, failedPage, null)

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

/** Every page but the feed: a visitor of the feed fetches none of these names. */
export function OtherPages() {
  return (
    <Switch>
      {routes}
      <Route path="/stories/:id">{({ id }) => <StoryOfRoom key={id} id={id} />}</Route>
      <Route path="/write/post/:id">{({ id }) => <ChangePage key={id} id={id} />}</Route>
      <Route path="/write/:id?">{({ id }) => <WritePage id={id} />}</Route>
      <Route path="/people/:id">{({ id }) => <PersonPage key={id} id={id} />}</Route>
      <Route path="/admin">
        <AdminOnly forModerators={<ModerationPage />}>
          <AdminPage />
        </AdminOnly>
      </Route>
      <Route path="/admin-users">
        <AdminOnly>
          <UserManagementPage />
        </AdminOnly>
      </Route>
      <Route component={Tab} />
    </Switch>
  )
}

/** The page that `?tab=` names. */
function Tab() {
  const path = tabs.get(new URLSearchParams(useSearch()).get('tab') ?? '')
  return path === undefined ? <Welcome /> : <Redirect to={path} replace />
}
