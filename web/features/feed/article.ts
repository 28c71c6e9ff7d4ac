import { useLocation } from 'wouter'

/** An article has an address of its own, over the page it was opened from. */
export function useArticle() {
  const [, navigate] = useLocation()
  return {
    open: (postId: string) => navigate(`/posts/${postId}${location.search}`, { state: { isOverPage: true } }),
    close: () => {
      if ((history.state as { isOverPage?: boolean } | null)?.isOverPage) history.back()
      else navigate('/dashboard')
    },
  }
}
