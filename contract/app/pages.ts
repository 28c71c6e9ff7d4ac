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
] as const
