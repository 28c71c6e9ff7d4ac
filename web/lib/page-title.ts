import { useEffect, useSyncExternalStore } from 'react'

let current = ''
const listeners = new Set<() => void>()

/** Names the page in the tab and in the header. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    current = title
    document.title = title === '' ? 'Z!mmer' : `${title} · Z!mmer`
    for (const listener of listeners) listener()
  }, [title])
}

export const useCurrentPageTitle = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => current,
  )
