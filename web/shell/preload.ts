type Loader = () => Promise<unknown>

const loaders = new Map<string, Loader>()
let loadOthers: Loader | undefined

/** Stores the function that fetches the page of a path. */
export const registerPage = (path: string, load: Loader): void => void loaders.set(path, load)

/** Stores the function that fetches the file which registers all further pages. */
export const setOtherPages = (load: Loader): void => void (loadOthers = load)

/** Fetches the files of a page ahead. Returns whether they were fetched; a failure shows when the page is opened. */
export async function preloadPage(href: string): Promise<boolean> {
  const path = href.split('?')[0]!
  const find = () => loaders.get(path) ?? loaders.get(path.replace(/[^/]+$/, ':id'))
  try {
    if (!find()) await loadOthers?.()
    await find()?.()
    return true
  } catch {
    return false
  }
}
