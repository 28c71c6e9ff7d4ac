export const bookmarksMax = 1000
