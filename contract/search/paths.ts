export const searchPath = '/search'

export const searchPathFor = (q: string): string => `${searchPath}?q=${encodeURIComponent(q.trim())}`
