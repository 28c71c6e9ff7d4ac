export const tokensMax = 20
export const tokenNameMax = 60
export const tokenDays = { usual: 90, max: 365 } as const
