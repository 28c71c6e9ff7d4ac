/** Every address that shows a page; anything else is the 404 page. */
export const pagePaths = [
  '/',
  '/dashboard',
  '/diary',
  '/projects',
  '/projects/finished',
  '/users',
  '/zimmers',
  '/calendar',
  '/messages',
  '/invitations',
  '/search',
  '/reports',
  '/settings',
  '/admin-users',
  '/admin',
  '/about',
  '/writing',
  '/read-later',
  '/following',
  '/reset',
  '/mail',
  '/notices',
  '/verify',
] as const

/** The pages to write a post on. A draft, and the change of a post, have an address of their own. */
export const writePaths = ['/write', '/write/:id', '/write/post/:id'] as const

/** The pages of an article, a finished story and a person. */
export const publicPaths = ['/posts/:id', '/stories/:id', '/people/:id'] as const

/** The page without data. Only the service worker requests it, and shows it at the addresses above while there is no network. */
export const shellPath = '/shell'

/** What the service worker and a page say to each other. */
export type WorkerMessage =
  /** The person wants the new version: the worker that waits takes over. */
  | 'take over'
  /** The page is being left for another one. */
  | 'leaving'

/** What the service worker says to a page whose notification was pressed: the page shows this address. */
export interface PageMessage {
  open: string
}
