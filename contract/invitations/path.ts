/** The page of an invitation link. The token stands behind `#`, which browsers send to no server. */
export const invitationPath = '/invitations'

export const invitationLink = (origin: string, token: string): string => `${origin}${invitationPath}#${token}`
