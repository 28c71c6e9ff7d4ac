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
] as const

/** The pages to write a post on. A draft, and the change of a post, have an address of their own. */
export const writePaths = ['/write', '/write/:id', '/write/post/:id'] as const
