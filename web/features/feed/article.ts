import { useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { useSession } from '#web/features/account/index.ts'
import { startBrowsing } from '#web/lib/session-storage.ts'

/** Opens an article at its own address, over the current page. */
export function openArticle(postId: string): void {
  navigate(`/posts/${postId}${location.search}`, { state: { isOverPage: true } })
}

/** Closes the article and shows the page below it. */
export function useLeaveArticle() {
  const [, navigate] = useLocation()
  const { state } = useSession()
  return () => {
    // A visitor who came by a link goes on in the feed and skips the onboarding.
    if (state === 'none') startBrowsing()
    if ((history.state as { isOverPage?: boolean } | null)?.isOverPage) history.back()
    else navigate('/dashboard')
  }
}
