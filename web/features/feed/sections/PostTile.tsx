import type { PublicPost } from '#contract/feed/post.ts'
import { cut } from '#contract/text.ts'
import { openArticle } from '#web/features/posts/index.ts'
import { cx } from '#web/ui/cx.ts'
import { WrittenText } from '#web/ui/WrittenText.tsx'

const previewLength = 200

/** A post as a card; it opens the article. */
export function PostTile({ post, className }: { post: PublicPost; className: string }) {
  return (
    <button type="button" onClick={() => openArticle(post.id)} className={className}>
      {post.imageUrl && (
        <img src={post.imageUrl} alt="" loading="lazy" className="h-20 w-full shrink-0 object-cover" />
      )}
      <span className="flex min-h-0 flex-1 flex-col gap-1 p-4">
        <span className="truncate text-sm font-medium">{post.authorName}</span>
        <span
          className={cx(
            'font-serif text-sm whitespace-pre-wrap text-ink-soft [--verse-turn:1rem]',
            post.imageUrl ? 'line-clamp-2' : 'line-clamp-6',
          )}
        >
          <WrittenText
            text={cut(post.content, previewLength)}
            form={post.form}
            titleAs="span"
            titleClass="text-base"
          />
        </span>
      </span>
    </button>
  )
}
