type Loader = () => Promise<unknown>

const loaders = new Map<string, Loader>()

/** Tells how the page of an address is fetched. */
export const registerPage = (path: string, load: Loader): void => void loaders.set(path, load)

/** Fetches a page ahead; a failure shows when the page is opened. */
export async function preloadPage(href: string): Promise<void> {
  const load = loaders.get(href.split('?')[0]!)
  await load?.().catch(() => {})
}
