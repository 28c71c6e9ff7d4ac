import { useEffect, useSyncExternalStore } from 'react'

let current = ''
/** The title of what is open over the page. */
let overPage: string | undefined
const listeners = new Set<() => void>()

function nameTab() {
  const title = overPage ?? current
  document.title = title === '' ? 'Z!mmer' : `${title} · Z!mmer`
}

/** Names the page in the tab and in the header. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    current = title
    nameTab()
    for (const listener of listeners) listener()
  }, [title])
}

/** Names the tab after a text that is open over the page, until the text is closed. */
export function useTitleOverPage(title: string | undefined): void {
  useEffect(() => {
    overPage = title
    nameTab()
    return () => {
      overPage = undefined
      nameTab()
    }
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
