import type { ComponentType } from 'react'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { expectsSession } from '#web/features/account/index.ts'
import { isBrowsing } from '#web/lib/session-storage.ts'
import { AdminOnly } from '#web/shell/AdminOnly.tsx'
import { registerPage } from '#web/shell/preload.ts'
import { FeedPage } from '#web/features/feed/FeedPage.tsx'
import { failedPage } from '#web/shell/failed-page.tsx'
import { part } from '#web/ui/part.tsx'

/** A page that is fetched when it is opened, or pointed at. */
function page<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
) {
  const Page = part(async () => (await load())[name], failedPage)
  registerPage(path, Page.preload)
  return Page
}

const PeoplePage = page('/users', 'PeoplePage', () => import('#web/features/people/PeoplePage.tsx'))
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
const RoomsPage = page('/projects', 'RoomsPage', () => import('#web/features/rooms/RoomsPage.tsx'))
const Rooms = page('/zimmers', 'Rooms', () => import('#web/shell/Rooms.tsx'))
const AboutPage = page('/about', 'AboutPage', () => import('#web/features/about/AboutPage.tsx'))

const Welcome = part(async () => (await import('#web/shell/Welcome.tsx')).Welcome, failedPage)
const ForPeople = part(async () => (await import('#web/shell/ForPeople.tsx')).ForPeople, failedPage)
const BeingBuilt = part(async () => (await import('#web/shell/BeingBuilt.tsx')).BeingBuilt, failedPage)

const loadOnboarding = () => import('#web/features/onboarding/OnboardingPage.tsx')
/** The onboarding page, shown to visitors without a session. */
export const OnboardingPage = part(async () => (await loadOnboarding()).OnboardingPage, failedPage)

// A visitor without a session sees onboarding first: it is fetched beside the rest.
if (!expectsSession() && !isBrowsing()) loadOnboarding().catch(() => {})

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
      <Route path="/users" component={PeoplePage} />
      <Route path="/zimmers" component={Rooms} />
      <Route path="/calendar" component={CalendarPage} />
      <Route path="/messages">
        <ForPeople title="Messages" />
      </Route>
      <Route path="/reports" component={ReportsPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/admin">
        <AdminOnly>
          <AdminPage />
        </AdminOnly>
      </Route>
      <Route path="/admin-users">
        <AdminOnly>
          <BeingBuilt title="User Management" />
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
