/** The page of a reset link. The token stands behind `#`, which browsers send to no server. */
export const resetPath = '/reset'

export const resetLink = (origin: string, token: string): string => `${origin}${resetPath}#${token}`
