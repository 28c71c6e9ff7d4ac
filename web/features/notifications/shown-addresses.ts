import { useEffect } from 'react'

/** Undefined over plain http. Then each tab knows of itself only. */
export const locksOf = () => (navigator as Partial<Navigator>).locks
const lockName = (personId: string, address: string) => `shown ${personId} ${address}`
const isVisible = () => document.visibilityState === 'visible'

/** Tells the other tabs of this browser which address this tab shows while it is visible: by a lock with its name. */
export function useShownAddress(personId: string, address: string): void {
  useEffect(() => {
    let release = () => {}
    const follow = () => {
      release()
      release = isVisible() ? hold(lockName(personId, address)) : () => {}
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      release()
    }
  }, [personId, address])
}

/** Holds a shared lock until the returned function is called. */
function hold(name: string): () => void {
  const end = new AbortController()
  const { signal } = end
  const untilReleased = () => new Promise((resolve) => signal.addEventListener('abort', resolve))
  locksOf()
    ?.request(name, { mode: 'shared', signal }, untilReleased)
    // The lock was released before the browser granted it.
    .catch(() => {})
  return () => end.abort()
}

/** The addresses that the visible tabs of this browser show to the person. */
export async function shownAddresses(personId: string): Promise<string[]> {
  const { held = [] } = (await locksOf()?.query()) ?? {}
  const prefix = lockName(personId, '')
  const names = held.flatMap(({ name }) => name ?? [])
  const addresses = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  return isVisible() ? [location.pathname + location.search, ...addresses] : addresses
}

/** Runs `work` while no other tab of this browser notifies the same person. */
export async function oneTabAtATime(personId: string, work: () => Promise<void>): Promise<void> {
  await (locksOf()?.request(`notifications ${personId}`, work) ?? work())
}

/** Whether the page with this address shows the thing with the address `href`: the path and the parameters are the same. */
export function isShownAt(address: string, href: string): boolean {
  const [shown, wanted] = [new URL(address, location.origin), new URL(href, location.origin)]
  shown.searchParams.sort()
  wanted.searchParams.sort()
  return shown.pathname === wanted.pathname && shown.search === wanted.search
}
