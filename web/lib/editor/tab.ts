import { randomId } from '#web/lib/session-keys.ts'

// Each tab holds a Web Lock with its own name while it is open. The locks show the other tabs which drafts are still being
// written. A browser without Web Locks (plain http) treats every other tab as closed: a person may then be asked twice
// about the same text, and no text is lost.

/** The name of this tab, new with each load of the page. */
export const tabId = randomId()
const lockOf = (id: string) => `tab:${id}`
const locks: LockManager | undefined = navigator.locks

void locks?.request(lockOf(tabId), () => new Promise(() => {}))

/** Those of the given tabs that are open. */
export async function openTabs(ids: string[]): Promise<string[]> {
  const { held = [] } = (await locks?.query()) ?? {}
  const names = new Set(held.map(({ name }) => name))
  return ids.filter((id) => names.has(lockOf(id)))
}

/** Calls `then` once the tab is closed, unless the signal is aborted first. */
export function whenTabCloses(id: string, signal: AbortSignal, then: () => void): void {
  locks?.request(lockOf(id), { signal }, then).catch(() => {})
}
