import '#web/styles/main.css'
import '#web/styles/first-paint.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { preloadSession } from '#web/features/account/index.ts'
import { OnlyCopies } from '#web/lib/only-copies.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { logUnhandledErrors } from '#web/lib/unhandled-errors.ts'
import { InboxOfPerson, OnboardingPage, Pages } from '#web/routes.tsx'
import { Gate } from '#web/shell/Gate.tsx'
import { PassingOverlay } from '#web/shell/overlay.tsx'
import { preloadPage } from '#web/shell/preload.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { Boundary } from '#web/ui/Boundary.tsx'
import { failedPage } from '#web/shell/failed-page.tsx'
import { ToastsProvider } from '#web/ui/toasts.tsx'
import { takeEmbeddedData } from './embedded.ts'

// Needed only when a person logs out or deletes the account.
const loadOnlyCopies = async () => (await import('./only-copies.ts')).onlyCopyChecks

takeEmbeddedData(queryClient)
logUnhandledErrors()
void preloadSession(queryClient)

// React holds back for a third of a second what replaces a fallback: a page that comes sooner needs none.
const patienceMs = 400
const patience = new Promise((resolve) => setTimeout(resolve, patienceMs))
void Promise.race([preloadPage(location.pathname), patience]).then(show)

function show() {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Boundary failed={failedPage}>
        <QueryClientProvider client={queryClient}>
          <OnlyCopies value={loadOnlyCopies}>
            <AlertsProvider>
              <ToastsProvider>
                <Gate onboarding={<OnboardingPage />}>
                  <Pages />
                </Gate>
                <InboxOfPerson />
                <PassingOverlay />
              </ToastsProvider>
            </AlertsProvider>
          </OnlyCopies>
        </QueryClientProvider>
      </Boundary>
    </StrictMode>,
  )
}
