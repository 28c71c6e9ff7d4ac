import { type PageMessage, shellPath, type WorkerMessage } from '#contract/app/pages.ts'
import { whenDraftsWritten } from './editor/all-drafts.ts'
import { whenAllSent } from './running-sends.ts'
import { readKey } from './session-keys.ts'
import { loggedOutIds, resumeStoring, stopStoring, storedText } from './storage.ts'
import { registerServiceWorker } from './workers.ts'

// Loaded when the page works. It finishes what a log-out has left, installs the service worker, and reloads the page when the
// program has a new version: after all typed texts are in their drafts.

/** What a person is told about the program itself, in one line at the bottom of the page. */
export type AppStatus =
  | 'newVersion'
  /** The page was opened without a network. */
  | 'offline'
  /** The page was opened without a network, which is there now. */
  | 'online'
  /** A draft could not be written, so the page is not loaded again. */
  | 'unsaved'

let status: AppStatus | null = null
const listeners = new Set<() => void>()
export const currentStatus = (): AppStatus | null => status
export const onStatusChange = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export function setStatus(next: AppStatus | null): void {
  status = next
  for (const listener of listeners) listener()
}

const askAgainMs = 30_000
const hourMs = 60 * 60_000
const idleWithinMs = 2000
/** In less time a worker takes over, and the next page replaces a page that is being left. */
const takeOverWithinMs = 5000

let registration: ServiceWorkerRegistration | undefined

export async function followUpdates(): Promise<void> {
  addEventListener('vite:preloadError', () => void reloadOnce())
  if (document.documentElement.dataset['shell'] === 'true') waitForNetwork()
  if (loggedOutIds().length > 0)
    void import('./local-copies.ts').then(({ finishLogOuts }) => finishLogOuts()).catch(() => {})
  // Browsers have no service workers over plain http.
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  if (serviceWorker.controller !== null)
    serviceWorker.addEventListener('controllerchange', () => void followWorker())
  serviceWorker.addEventListener('message', ({ data }) => showPage(data as PageMessage))
  await idleTime()
  try {
    await registerServiceWorker()
  } catch {
    // The pages work as without a worker, and the next visit tries again.
    return
  }
  registration = await serviceWorker.ready
  const { waiting, installing } = registration
  if (waiting) offerVersion()
  watch(installing)
  registration.addEventListener('updatefound', () => watch(registration!.installing))
  setInterval(() => void registration!.update().catch(() => {}), hourMs)
  addEventListener('beforeunload', () => {
    if (!registration!.waiting) return
    beganToLeaveAt = Date.now()
    tell(serviceWorker.controller, 'leaving')
  })
}

/** Waits for a moment in which the page does nothing else. A page that is never idle, or is in the background, may have none. */
const idleTime = () =>
  new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: idleWithinMs })
    else setTimeout(resolve)
  })

/** The router follows the history. */
const showPage = ({ open }: PageMessage) => history.pushState(null, '', open)

const tell = (worker: ServiceWorker | null, message: WorkerMessage) => worker?.postMessage(message)

function watch(worker: ServiceWorker | null) {
  worker?.addEventListener('statechange', () => {
    if (worker.state === 'installed' && navigator.serviceWorker.controller !== null) offerVersion()
  })
}

function offerVersion() {
  const ask = askUntilAnswered((outdated) => outdated && setStatus('newVersion'))
  void ask()
}

/** Whether the server has another version than this page; undefined without an answer. */
async function isOutdated(): Promise<boolean | undefined> {
  const { entry } = document.querySelector<HTMLScriptElement>('script[data-entry]')?.dataset ?? {}
  try {
    const answer = await fetch(shellPath, { cache: 'no-cache' })
    return answer.ok ? !(await answer.text()).includes(`"${entry}"`) : undefined
  } catch {
    return undefined
  }
}

function waitForNetwork() {
  setStatus('offline')
  askUntilAnswered(() => status === 'offline' && setStatus('online'))
}

/**
 * Asks whether this page is outdated, every 30 s and when there is a network again, until the server answers. Returns the
 * function that asks, for a caller that does not want to wait for 30 s.
 */
function askUntilAnswered(onAnswer: (outdated: boolean) => unknown) {
  const ask = async () => {
    const outdated = await isOutdated()
    if (outdated === undefined) return
    clearInterval(timer)
    removeEventListener('online', ask)
    onAnswer(outdated)
  }
  const timer = setInterval(ask, askAgainMs)
  addEventListener('online', ask)
  return ask
}

/** Loads the new version. Another tab may have let the new version take over already. */
export async function reloadNow(): Promise<void> {
  if (!(await whenDraftsWritten())) return setStatus('unsaved')
  if (!registration?.waiting) return reload()
  tell(registration.waiting, 'take over')
  setTimeout(() => void reload(), takeOverWithinMs)
}

/** When this page last began to be left for another one, by the clock of the browser. */
let beganToLeaveAt = -Infinity

/** A new worker has taken over, and has removed the parts of this page. */
async function followWorker() {
  // The next page comes at once, unless the person or a download keeps this one.
  if (Date.now() - beganToLeaveAt < takeOverWithinMs)
    await new Promise((resolve) => setTimeout(resolve, takeOverWithinMs))
  if ((await isOutdated()) !== false) await reload()
}

const reloadedFrom = storedText('reloaded-from', { area: 'sessionStorage' })

/** A part of this page is missing. Loads the page again if the server has a new version, once and after all text is stored. */
async function reloadOnce() {
  if (!navigator.onLine || (await isOutdated()) !== true) return
  const own = document.querySelector<HTMLScriptElement>('script[data-entry]')!.dataset['entry']!
  if (reloadedFrom.read() === own || !reloadedFrom.write(own)) return
  await reload()
}

let isReloading = false

/** Nothing is typed or stored between the last draft and the next page. */
async function reload() {
  if (isReloading) return
  isReloading = true
  document.documentElement.inert = true
  await whenAllSent()
  if (await whenDraftsWritten()) {
    for (const person of [readKey('userId'), readKey('guestId')]) if (person !== null) stopStoring(person)
    // The browser asks first while an import runs, and the person may stay. Timers stand still meanwhile.
    setTimeout(goOn, takeOverWithinMs)
    location.reload()
  } else {
    goOn()
    setStatus('unsaved')
  }
}

function goOn() {
  isReloading = false
  document.documentElement.inert = false
  resumeStoring()
}
