/** The page behind the links of mails. The token stands behind `#`, which browsers send to no server. */
export const mailPath = '/mail'

export const confirmationLink = (origin: string, token: string): string => `${origin}${mailPath}#${token}`
