import { randomId } from '#web/lib/session-storage.ts'

// A page holds a lock named after itself for as long as it lives: another one sees by it which texts are still being
// written. Where a browser has no locks (plain http), every other page counts as closed: a text may then be asked
// about twice, and is never lost.

/** This page, from its load to its end. */
export const tab = randomId()
const lockOf = (id: string) => `tab:${id}`
const locks: LockManager | undefined = navigator.locks

void locks?.request(lockOf(tab), () => new Promise(() => {}))

/** Of these pages, the ones that are open. */
export async function openTabs(ids: string[]): Promise<string[]> {
  const { held = [] } = (await locks?.query()) ?? {}
  const names = new Set(held.map(({ name }) => name))
  return ids.filter((id) => names.has(lockOf(id)))
}

/** Calls back when that page is closed, unless the signal comes first. */
export function whenClosed(id: string, signal: AbortSignal, then: () => void): void {
  locks?.request(lockOf(id), { signal }, then).catch(() => {})
}
