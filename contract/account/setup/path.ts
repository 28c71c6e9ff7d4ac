/** The page on which the holder of the set-up code makes the first admin account. The code stands behind `#`, which browsers send to no server. */
export const setupPath = '/setup'

export const setupLink = (origin: string, code: string): string => `${origin}${setupPath}#${code}`
