import { useLocation } from 'wouter'
import { useSession } from '#web/features/account/index.ts'
import { startBrowsing } from '#web/lib/session-storage.ts'

/** An article has an address of its own, over the page it was opened from. */
export function useArticle() {
  const [, navigate] = useLocation()
  return {
    open: (postId: string) => navigate(`/posts/${postId}${location.search}`, { state: { isOverPage: true } }),
  }
}

/** Closes the article and shows the page below it. */
export function useLeaveArticle() {
  const [, navigate] = useLocation()
  const { state } = useSession()
  return () => {
    // A visitor who came by a link reads on in the feed, like one who skipped the onboarding.
    if (state === 'none') startBrowsing()
    if ((history.state as { isOverPage?: boolean } | null)?.isOverPage) history.back()
    else navigate('/dashboard')
  }
}
