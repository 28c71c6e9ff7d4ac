export const searchPath = '/search'

/** The address of the page with the results of a search. */
export const searchPathFor = (q: string): string => `${searchPath}?q=${encodeURIComponent(q.trim())}`
