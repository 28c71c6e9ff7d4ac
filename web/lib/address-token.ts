import { useSyncExternalStore } from 'react'

/** The token of the address. It stands behind `#`, so that no server sees it. */
export const useToken = () => useSyncExternalStore(onHashChange, () => location.hash.slice(1))

function onHashChange(notify: () => void) {
  addEventListener('hashchange', notify)
  return () => removeEventListener('hashchange', notify)
}
