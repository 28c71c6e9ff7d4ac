import { useEffect, useSyncExternalStore } from 'react'

/** The title that the server embedded in the page. */
let rendered = ''
let current = ''
let inTab = ''
/** The title of what is open over the page. */
let overPage: string | undefined
let unreadCount = 0
const listeners = new Set<() => void>()

function nameTab() {
  const title = overPage ?? inTab
  const name = title === '' ? 'Z!mmer' : `${title} · Z!mmer`
  document.title = unreadCount === 0 ? name : `(${unreadCount}) ${name}`
}

/** Sets the title of the page in the header and in the tab. On a rendered page the tab has the same title from the server. */
export function usePageTitle(title: string, titleInTab = title): void {
  useEffect(() => {
    current = title
    inTab = titleInTab
    nameTab()
    notify()
  }, [title, titleInTab])
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

/** Shows the number of unread messages in the title of the tab and in the header. */
export function setUnreadCount(count: number): void {
  unreadCount = count
  nameTab()
  notify()
}

/** Sets the title that the header shows until the page sets its own. */
export function setRenderedTitle(title: string): void {
  rendered = title
}

export const useCurrentPageTitle = (): string =>
  useSyncExternalStore(
    subscribe,
    () => current || rendered,
    () => rendered,
  )
export const useUnreadCount = (): number =>
  useSyncExternalStore(
    subscribe,
    () => unreadCount,
    () => 0,
  )

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const notify = () => listeners.forEach((listener) => listener())
