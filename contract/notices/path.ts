/** The page behind the links of notices. The token stands behind `#`, which browsers send to no server. */
export const noticesPath = '/notices'

export const choicesLink = (origin: string, token: string): string => `${origin}${noticesPath}#${token}`

/** The address of the header List-Unsubscribe. Mail programs call it, so the token is part of it. */
export const unsubscribePath = (token: string): string => `/unsubscribe/${token}`
