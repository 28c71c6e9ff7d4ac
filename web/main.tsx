import '#web/styles/main.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeEmbeddedData } from '#web/lib/embedded.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { OnboardingPage, Pages } from '#web/routes.tsx'
import { Gate } from '#web/shell/Gate.tsx'
import { PassingOverlay } from '#web/shell/overlay.tsx'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { ToastsProvider } from '#web/ui/toasts.tsx'

takeEmbeddedData(queryClient)

// What nobody caught is written down and goes no further.
addEventListener('error', (event) => {
  console.error(event.error)
  event.preventDefault()
})
addEventListener('unhandledrejection', (event) => {
  console.error(event.reason)
  event.preventDefault()
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <AlertsProvider>
        <ToastsProvider>
          <Gate onboarding={<OnboardingPage />}>
            <Pages />
          </Gate>
          <PassingOverlay />
        </ToastsProvider>
      </AlertsProvider>
    </QueryClientProvider>
  </StrictMode>,
)
