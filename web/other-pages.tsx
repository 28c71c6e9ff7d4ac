import type { ComponentType } from 'react'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { invitationPath } from '#contract/invitations/path.ts'
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
      <Route component={Tab} />
    </Switch>
  )
}

/** The page that `?tab=` names. */
function Tab() {
  const path = tabs.get(new URLSearchParams(useSearch()).get('tab') ?? '')
  return path === undefined ? <Welcome /> : <Redirect to={path} replace />
}
