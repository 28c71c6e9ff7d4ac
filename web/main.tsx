import '#web/styles/main.css'
import '#web/styles/first-paint.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { preloadSession } from '#web/features/account/index.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { logUnhandledErrors } from '#web/lib/unhandled-errors.ts'
import { preloadPage } from '#web/shell/preload.ts'
import { App } from './app.tsx'
import { takeEmbeddedData } from './embedded.ts'

takeEmbeddedData(queryClient)
logUnhandledErrors()
void preloadSession(queryClient)

const root = document.getElementById('root')!
const page = document.documentElement.dataset
// How long the script of the page may take before a fallback is shown. React then shows the fallback for a third of a second,
// so a fallback would delay a script that comes soon.
const fallbackAfterMs = 400
const untilFallback = new Promise((resolve) => setTimeout(resolve, fallbackAfterMs))
const statusAfterMs = 4000
const tryAgainAfterMs = 30_000

// The text that the server rendered can be read meanwhile.
if (page['rendered'] === 'true') void preloadPage(location.pathname).then(takeOver)
else if (page['shell'])
  void import('./signed-in.tsx').then(({ restore }) => restore(queryClient)).then(show, show)
else void Promise.race([preloadPage(location.pathname), untilFallback]).then(show)

function show() {
  createRoot(root).render(<App client={queryClient} onShown={markAsWorking} />)
}

/** Makes the rendered page work. A page whose file is missing is rendered anew, because it shows its failure. */
function takeOver(isLoaded: boolean) {
  if (isLoaded) hydrateRoot(root, <App client={queryClient} onShown={markAsWorking} />)
  else show()
}

function markAsWorking() {
  delete page['rendered']
  document.querySelector('.first-paint')?.remove()
  // `/theme.js` waits for it.
  dispatchEvent(new Event('working'))
  // Everything that the person waits for comes before the worker.
  setTimeout(startAppStatus, page['shell'] ? 0 : statusAfterMs)
}

/** Installs the service worker and follows updates. Its file cannot be loaded without a network: then it is tried again. */
const startAppStatus = (): unknown =>
  import('./app-status.tsx').then(
    ({ start }) => start(),
    () => setTimeout(startAppStatus, tryAgainAfterMs),
  )
