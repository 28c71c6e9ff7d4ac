import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { postPath } from '#contract/feed/post.ts'
import { useIsOverFeed } from '#web/features/posts/index.ts'

export const articleLinkClass =
  'touch inline-flex items-center text-lamp underline underline-offset-4 wrap-anywhere'

/** A link from an article to another one. Over the feed it replaces the article, so that Close leads to the feed. */
export function ArticleLink({ id, children }: { id: string; children: ReactNode }) {
  const state = useHistoryState<unknown>()
  const isOverFeed = useIsOverFeed()
  return (
    <Link
      className={articleLinkClass}
      {...(isOverFeed
        ? { href: `${postPath(id)}${location.search}`, replace: true, state }
        : { href: postPath(id) })}
    >
      <span dir="auto">{children}</span>
    </Link>
  )
}
