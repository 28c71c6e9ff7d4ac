/** The page behind the links of away notifications, which shows the choices. The token stands behind `#`, which browsers send to no server. */
export const awayNotificationsPath = '/notices'

export const choicesLink = (origin: string, token: string): string =>
  `${origin}${awayNotificationsPath}#${token}`

/** The address of the header List-Unsubscribe. Mail programs call it, so the token is part of it. */
export const unsubscribePath = (token: string): string => `/unsubscribe/${token}`
