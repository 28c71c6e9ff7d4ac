import { useEffect } from 'react'

/** Closes what is open over the page. The router fires this event at every navigation, also at one to the open page. */
export function useCloseOnNavigation(onClose: () => void): void {
  useEffect(() => {
    addEventListener('pushState', onClose)
    return () => removeEventListener('pushState', onClose)
  }, [onClose])
}
