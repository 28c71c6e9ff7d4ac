import { useRef } from 'react'
import { postPath, type PublicPost } from '#contract/feed/post.ts'
import { olderTextsPath } from '#contract/people/paths.ts'
import { pictureSize } from '#web/features/feed/index.ts'
import { openArticle } from '#web/features/posts/index.ts'
import type { Loaded } from '#web/lib/api.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { beginningOf } from '#contract/beginning.ts'
import type { Pages } from '#web/lib/pages.ts'
import { cx } from '#web/ui/cx.ts'
import { pressed } from '#web/ui/pressed.ts'
import { NotReady } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { WrittenText } from '#web/ui/WrittenText.tsx'
import { longDate } from './long-date.ts'
import { NewestLink } from './NewestLink.tsx'

interface PersonPostsProps {
  personId: string
  posts: Loaded<Pages<PublicPost>>
  /** The list does not begin with the newest post. */
  isOlder: boolean
}

export function PersonPosts({ personId, posts, isOlder }: PersonPostsProps) {
  return (
    <section id="posts" aria-labelledby="posts-title" className="flex scroll-mt-16 flex-col gap-2">
      <h2 id="posts-title" className="text-xl font-semibold">
        Posts
      </h2>
      {isOlder && <NewestLink personId={personId} text="Newest posts" />}
      <NotReady of={posts} what="The posts" waiting={<Skeleton className="h-64 w-full max-w-reading" />} />
      {posts.status === 'ready' && <PostList of={posts.data} personId={personId} />}
    </section>
  )
}

function PostList({ of, personId }: { of: Pages<PublicPost>; personId: string }) {
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      <ul ref={list} className="flex flex-col divide-y divide-line">
        {of.items.map((post) => (
          <li key={post.id} className="py-6 first:pt-2">
            <PersonPost post={post} />
          </li>
        ))}
      </ul>
      <ShowMore
        of={of}
        list={list}
        href={of.nextBefore === null ? undefined : olderTextsPath(personId, 'posts', of.nextBefore)}
      />
    </>
  )
}

const longFrom = { characters: 900, lines: 16 }
const isLong = (text: string) => text.length > longFrom.characters || text.split('\n').length > longFrom.lines

/** A post without the name of its author, who stands above. A long text fades out. */
function PersonPost({ post }: { post: PublicPost }) {
  const { timeZone } = useAppConfig()
  const date = longDate(post.publishedAt!, timeZone)
  const isCut = isLong(post.content)
  const open = () => openArticle(post.id)
  return (
    <article aria-label={`Post of ${date}`} className="flex max-w-reading flex-col gap-2">
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
        <WrittenText text={isCut ? beginningOf(post.content) : post.content} titleAs="h3" />
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
