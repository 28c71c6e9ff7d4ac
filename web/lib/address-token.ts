import { useSyncExternalStore } from 'react'
import { RequestError } from './request.ts'

/** The token of the address. It stands behind `#`, so that no server sees it. */
export const useToken = () => useSyncExternalStore(onHashChange, () => location.hash.slice(1))

function onHashChange(notify: () => void) {
  addEventListener('hashchange', notify)
  return () => removeEventListener('hashchange', notify)
}

/** Null for the failure of a call with the token of a link that is over. A link that was not copied whole is answered with 400. */
export function nullIfOver(error: unknown): null {
  if (error instanceof RequestError && [400, 404].includes(error.status)) return null
  throw error
}
