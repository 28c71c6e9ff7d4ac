import { navigate, useHistoryState } from 'wouter/use-browser-location'

const isFeed = (path: string) => path === '/' || path === '/dashboard'

/**
 * Opens an article at its own address: over the feed when that is open, otherwise as a page. The state of the address names
 * this document: after a reload another document shows the article as a page, because there is no feed below it.
 */
export function openArticle(postId: string): void {
  if (isFeed(location.pathname))
    navigate(`/posts/${postId}${location.search}`, { state: performance.timeOrigin })
  else navigate(`/posts/${postId}`)
}

/** Whether the article in the address was opened from the feed, which is still below it. */
export const useIsOverFeed = (): boolean => useHistoryState<unknown>() === performance.timeOrigin

/** Closes the article and shows the feed below it. */
export const leaveArticle = (): void => history.back()
