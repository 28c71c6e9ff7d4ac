import { useLocation, useSearch } from 'wouter'

/** The address of the open page, as the links of the frame write it. */
export function useAddress(): string {
  const [path] = useLocation()
  const search = useSearch()
  if (search.includes('view=rooms')) return `${path}?view=rooms`
  if (path.startsWith('/write/')) return '/write'
  return path === '/' ? '/dashboard' : path
}
