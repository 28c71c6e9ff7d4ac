import { postPath, type PublicPost } from '#contract/feed/post.ts'
import { pictureSize } from '#web/features/feed/index.ts'
import { openArticle } from '#web/features/posts/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { beginningOf } from '#contract/beginning.ts'
import { longDate } from '#web/lib/Time.tsx'
import { cx } from '#web/ui/cx.ts'
import { pressed } from '#web/ui/pressed.ts'
import { WrittenText } from '#web/ui/WrittenText.tsx'

const longFrom = { characters: 900, lines: 16 }
const isLong = (text: string) => text.length > longFrom.characters || text.split('\n').length > longFrom.lines

/** A post without the name of its author, who stands above. A long text fades out. */
export function PersonPost({ post }: { post: PublicPost }) {
  const { timeZone } = useAppConfig()
  const date = longDate(post.publishedAt!, timeZone)
  const isCut = isLong(post.content)
  const open = () => openArticle(post.id)
  return (
    <article data-post aria-label={`Post of ${date}`} className="flex max-w-reading flex-col gap-2">
      <a
        href={postPath(post.id)}
        className="touch flex w-fit items-center text-sm text-ink-soft hover:underline"
        onClick={pressed(open)}
      >
        <time dateTime={post.publishedAt!}>{date}</time>
      </a>
      {post.imageUrl !== null && (
        <img
          src={post.imageUrl}
          {...pictureSize(post.imageUrl)}
          alt=""
          loading="lazy"
          className="max-h-96 w-full rounded-md bg-sunk object-contain"
        />
      )}
      <div
        dir="auto"
        className={cx(
          'relative reading whitespace-pre-wrap wrap-anywhere',
          isCut && 'max-h-96 overflow-hidden',
        )}
      >
        <WrittenText text={isCut ? beginningOf(post.content) : post.content} form={post.form} titleAs="h3" />
        {isCut && (
          <div className="pointer-events-none absolute inset-x-0 bottom-0 h-20 bg-linear-to-t from-paper to-transparent" />
        )}
      </div>
      {isCut && (
        <a
          href={postPath(post.id)}
          onClick={pressed(open)}
          className="touch w-fit text-sm font-medium text-lamp hover:underline"
        >
          Continue reading
        </a>
      )}
    </article>
  )
}
