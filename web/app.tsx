import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffectEvent, useLayoutEffect } from 'react'
import { Router } from 'wouter'
import { SessionProvider } from '#web/features/account/index.ts'
import { AppConfigProvider } from '#web/lib/app-config.tsx'
import { OnlyCopies } from '#web/lib/only-copies-context.ts'
import { OnboardingPage, Pages, WorkOfPerson } from '#web/routes.tsx'
import { Announcements } from '#web/shell/Announcements.tsx'
import { failedPage } from '#web/shell/failed-page.tsx'
import { Gate } from '#web/shell/Gate.tsx'
import { PassingOverlay } from '#web/shell/overlay.tsx'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { Boundary } from '#web/ui/Boundary.tsx'
import { ToastsProvider } from '#web/ui/toasts.tsx'

interface AppProps {
  client: QueryClient
  /** The address of a page that the server renders. A browser has its own. */
  rendered?: { path: string; search: string }
  /** Called once, when the page works. */
  onShown?: () => void
}

// Needed only when a person logs out or deletes the account.
const loadOnlyCopies = () => import('./only-copies.ts')

/** The whole application, in the browser and on the server. */
export function App({ client, rendered, onShown }: AppProps) {
  const shown = useEffectEvent(() => onShown?.())
  // Before the first paint, which the loading text would cover.
  useLayoutEffect(() => shown(), [])
  return (
    <StrictMode>
      <Router {...(rendered && { ssrPath: rendered.path, ssrSearch: rendered.search })}>
        <Boundary showFailure={failedPage}>
          <QueryClientProvider client={client}>
            <AppConfigProvider>
              <SessionProvider>
                <OnlyCopies value={loadOnlyCopies}>
                  <AlertsProvider>
                    <ToastsProvider>
                      <Announcements />
                      <Gate onboarding={<OnboardingPage />}>
                        <Pages />
                      </Gate>
                      <WorkOfPerson />
                      <PassingOverlay />
                    </ToastsProvider>
                  </AlertsProvider>
                </OnlyCopies>
              </SessionProvider>
            </AppConfigProvider>
          </QueryClientProvider>
        </Boundary>
      </Router>
    </StrictMode>
  )
}
