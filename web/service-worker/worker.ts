import { pagePaths, publicPaths, shellPath, type WorkerMessage, writePaths } from '#contract/app/pages.ts'
import { handlePushes } from './push.ts'

// Makes the pages open without a network. It stores the files of one build, and the shell: the page without data. It stores
// and answers nothing else: no HTML with data, no call, no download, no file of another site.

declare const self: ServiceWorkerGlobalScope
/** Set by the build: `buildServiceWorker` in `scripts/build-installed.ts`. */
declare const __BUILD__: { version: string; entry: string; files: string[] }

const { version, entry, files } = __BUILD__
const prefix = 'build-'
const cacheName = prefix + version
const known = new Set(files)
/** Admins change them: the name and the icon of the instance. */
const changing = new Set(['/icon.svg', '/manifest.webmanifest'])
/** The install leaves connections for the calls of the page. */
const atOnce = 3
/** How long a page waits for the server before the shell is shown. */
const longestMs = 10_000

const pages = [...pagePaths, ...writePaths, ...publicPaths].map(
  // A name with a dot is a file, such as `/stories/feed.json`.
  (path) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/.]+')}$`),
)

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
handlePushes()

async function install() {
  const cache = await caches.open(cacheName)
  const missing = [...files]
  const storeAll = async () => {
    for (let file = missing.pop(); file !== undefined; file = missing.pop()) await store(cache, file)
  }
  await Promise.all(Array.from({ length: atOnce }, storeAll))
  const shell = await download(shellPath)
  // The last one: if the server was updated meanwhile, its shell names other files.
  if (!(await shell.clone().text()).includes(entry)) throw new Error('The server has another version')
  await cache.put(shellPath, shell)
}

/** A file whose name changes with its content is taken from the cache of an earlier build. */
async function store(cache: Cache, file: string) {
  const earlier = /^\/assets\/|\?/.test(file) ? await caches.match(file, { ignoreVary: true }) : undefined
  if (earlier !== undefined && isFile(earlier)) return cache.put(file, earlier)
  const answer = await download(file)
  if (!isFile(answer)) throw new Error(`${file} is missing`)
  return cache.put(file, answer)
}

/** A proxy may answer every address with its own page, such as a sign-in. */
const isFile = ({ headers }: Response) =>
  /javascript|css|font|image|manifest/.test(headers.get('content-type') ?? '')

async function download(path: string) {
  const answer = await fetch(path, { cache: path.startsWith('/assets/') ? 'default' : 'no-cache' })
  if (!answer.ok || answer.redirected || answer.type !== 'basic') throw new Error(`${path} is missing`)
  return answer
}

/** Runs when no page of the version before is open, or when all of them are about to be reloaded. */
async function activate() {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname, search } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode !== 'navigate') {
    if (changing.has(pathname)) event.respondWith(newestFile(request))
    else if (known.has(pathname + search)) event.respondWith(storedFile(request))
  } else if (pages.some((page) => page.test(pathname))) event.respondWith(openPage(request))
})

/** The stored one is that of the time of the install. */
async function newestFile(request: Request) {
  try {
    return await fetch(request)
  } catch {
    return (await storedAt(request.url, { ignoreSearch: true })) ?? Response.error()
  }
}

async function storedFile(request: Request) {
  return (await storedAt(request.url)) ?? fetch(request)
}

/** Does not open the cache: that would make it again after a new version has removed it. */
const storedAt = (url: string, options?: CacheQueryOptions) =>
  caches.match(url, { cacheName, ignoreVary: true, ...options })

async function openPage(request: Request): Promise<Response> {
  if (await handOver()) return new Response(null, { headers: { refresh: '0' } })
  try {
    // Without navigation preload: a browser would send each navigation that the worker leaves alone twice.
    const answer = await Promise.race([fetch(request), tooLate()])
    if (!isOfProxy(answer)) return answer
    return (await storedAt(shellPath)) ?? answer
  } catch {
    return (await storedAt(shellPath)) ?? Response.error()
  }
}

/**
 * Whether a proxy answers because its server does not run. An overloaded server answers 503 itself, with JSON. It is left
 * alone: the shell would send it more calls.
 */
const isOfProxy = ({ status, headers }: Response) =>
  status === 502 || status === 504 || (status === 503 && !headers.get('content-type')?.includes('json'))

/** A lost connection may give no error for minutes. */
const tooLate = () =>
  new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('The server did not answer in time')), longestMs)
  })

/** The id of the page that is being left for the page that is opened. */
let leavingId: string | undefined

self.addEventListener('message', ({ data, source }: ExtendableMessageEvent) => {
  const message = data as WorkerMessage
  if (message === 'take over') void self.skipWaiting()
  else leavingId = (source as WindowClient).id
})

const messageWithinMs = 200

const nextMessage = () =>
  new Promise<void>((resolve) => {
    self.addEventListener('message', () => resolve(), { once: true })
    setTimeout(resolve, messageWithinMs)
  })

/**
 * Hands over to a new version that waits, when the only open page is being left. Returns whether it did: the browser then has to
 * request the page again.
 */
async function handOver() {
  const { waiting } = self.registration
  if (waiting === null) return false
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  // The message of the page that is being left may arrive after the request for the next page.
  if (open.length === 1 && open[0]!.id !== leavingId) await nextMessage()
  if (open.some(({ id }) => id !== leavingId)) return false
  // Once: a new version that does not take over must not repeat this.
  leavingId = undefined
  waiting.postMessage('take over' satisfies WorkerMessage)
  return true
}
