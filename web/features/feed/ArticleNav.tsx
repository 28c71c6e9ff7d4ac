import { Link } from 'wouter'
import { dateLabel, dayOf } from '#contract/days.ts'
import { getPostNeighbours, type PostLink } from '#contract/feed/links/endpoints.ts'
import { feedDayPath } from '#contract/feed/paths.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { ArticleLink, articleLinkClass } from './ArticleLink.tsx'

const freshMs = 5000

/** Leads from an article to the posts around it, and to its day. */
export function ArticleNav({ post }: { post: PublicPost }) {
  const { today, timeZone } = useAppConfig()
  const neighbours = useEndpoint(getPostNeighbours, { params: { id: post.id }, staleTime: freshMs }).data
  const day = dayOf(new Date(post.publishedAt ?? post.createdAt), timeZone)
  return (
    // Its room is reserved until the posts are known.
    <nav aria-label="More of this day" className="flex min-h-24 flex-col items-start gap-2">
      {neighbours?.previous && <Neighbour label="Previous" post={neighbours.previous} />}
      {neighbours?.next && <Neighbour label="Next" post={neighbours.next} />}
      <Link href={feedDayPath(day)} className={articleLinkClass}>
        All posts of {dateLabel(day, today)}
      </Link>
    </nav>
  )
}

const Neighbour = ({ label, post }: { label: string; post: PostLink }) => (
  <ArticleLink id={post.id}>
    {label}: {post.title} · {post.authorName}
  </ArticleLink>
)
