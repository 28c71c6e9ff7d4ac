export const favourites = 'favourite creators'
export const recentlyViewedTitle = 'Recently viewed'
export const trending = 'Trending posts for you'
export const byCategory = 'Browse by category'
export const noFavourites = 'Creators you follow appear here.'
export const noTrending = 'No long posts and no pictures on this day.'
export const titles = [favourites, recentlyViewedTitle, trending, byCategory]
