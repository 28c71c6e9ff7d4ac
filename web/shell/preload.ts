type Loader = () => Promise<unknown>

const loaders = new Map<string, Loader>()

/** Stores the function that fetches the page of a path. */
export const registerPage = (path: string, load: Loader): void => void loaders.set(path, load)

/** Fetches a page ahead; a failure shows when the page is opened. */
export async function preloadPage(href: string): Promise<void> {
  const path = href.split('?')[0]!
  const load = loaders.get(path) ?? loaders.get(path.replace(/[^/]+$/, ':id'))
  await load?.().catch(() => {})
}
