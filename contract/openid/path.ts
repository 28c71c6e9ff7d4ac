/** The page to which the OpenID Connect provider sends people back. */
export const openidPath = '/openid'
