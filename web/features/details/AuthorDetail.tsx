import { Link } from 'wouter'
import type { Author } from '#contract/feed/authors.ts'
import { personPath } from '#contract/people/paths.ts'
import { cut } from '#contract/text.ts'
import { FollowButton } from '#web/features/follows/index.ts'
import { openArticle } from '#web/features/posts/index.ts'
import { SupportButton } from '#web/features/tips/index.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { buttonClass } from '#web/ui/Button.tsx'

const recentPostsMax = 3
const previewLength = 60

export function AuthorDetail({ author, onClose }: { author: Author; onClose: () => void }) {
  const read = (postId: string) => {
    onClose()
    openArticle(postId)
  }
  return (
    <>
      <div className="flex items-center gap-4">
        <Avatar name={author.name} size="large" />
        <div className="min-w-0">
          <p className="font-serif text-lg font-semibold">{author.name}</p>
          <p className="text-sm text-ink-soft">{author.genre}</p>
        </div>
      </div>
      <h3 className="mt-6 mb-2 text-lg font-semibold">Recent posts</h3>
      <ul className="flex flex-col gap-2">
        {author.recentPosts.slice(0, recentPostsMax).map((post) => (
          <li key={post.id}>
            <button
              type="button"
              dir="auto"
              onClick={() => read(post.id)}
              className="touch w-full rounded-md border border-line px-4 py-3 text-start font-serif whitespace-pre-wrap hover:border-ink-soft hover:bg-sunk"
            >
              {cut(post.content, previewLength)}
            </button>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-3">
        {author.hasPage && (
          <Link href={personPath(author.id)} onClick={onClose} className={buttonClass('quiet')}>
            Go to the page
          </Link>
        )}
        <FollowButton id={author.id} name={author.name} />
        <SupportButton creator={author} />
      </div>
    </>
  )
}
