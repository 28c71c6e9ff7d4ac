import { type ComponentType, lazy, type ReactNode, useState } from 'react'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { expectsSession, SignInNotice, useSession } from '#web/features/account/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { isBrowsing } from '#web/lib/session-storage.ts'
import { AdminOnly } from '#web/shell/AdminOnly.tsx'
import { registerPage } from '#web/shell/preload.ts'
import { FeedPage } from '#web/features/feed/FeedPage.tsx'
import { retried } from '#web/ui/retried.ts'

/** A page that is fetched when it is opened, or pointed at. One that is there already is shown without a fallback. */
function page<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
) {
  let loaded: ComponentType | undefined
  const fetched = retried(load)
  const loading = async () => ({ default: (loaded = (await fetched())[name]) })
  const Fetched = lazy(loading)
  registerPage(path, loading)
  return function PageOfRoute() {
    // What a page began as it stays: another component in its place would begin anew.
    const [Page] = useState<ComponentType>(() => loaded ?? Fetched)
    return <Page />
  }
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

const Welcome = lazy(retried(async () => ({ default: (await import('#web/shell/Welcome.tsx')).Welcome })))
const BeingBuilt = lazy(
  retried(async () => ({ default: (await import('#web/shell/BeingBuilt.tsx')).BeingBuilt })),
)

const loadOnboarding = () => import('#web/features/onboarding/OnboardingPage.tsx')
/** The door of the house. */
export const OnboardingPage = lazy(
  retried(async () => ({ default: (await loadOnboarding()).OnboardingPage })),
)

// Who comes without a session sees the door first: it is fetched beside the rest.
if (!expectsSession() && !isBrowsing()) void loadOnboarding()

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

/** What needs an account says so to those who have none. */
function ForPeople({ title }: { title: string }): ReactNode {
  usePageTitle(title)
  const { state } = useSession()
  if (state === 'unknown') return null
  if (state === 'registered') return <BeingBuilt title={title} />
  return (
    <section aria-labelledby="page-name">
      <h1 id="page-name" className="text-2xl">
        {title}
      </h1>
      <SignInNotice text={`Sign in to see your ${title.toLowerCase()}.`} />
    </section>
  )
}
