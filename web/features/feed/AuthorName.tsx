import { Link } from 'wouter'
import { deletedAuthorName, type PublicPost } from '#contract/feed/post.ts'
import { personPath } from '#contract/people/paths.ts'
import { useDetails } from '#web/features/details/index.ts'

/**
 * The name of an author. It leads to the page of the author. Without a page it opens the details of the author, which come
 * from the loaded posts.
 */
export function AuthorName({ post }: { post: PublicPost }) {
  const details = useDetails()
  if (post.authorName === deletedAuthorName && post.authorId === null) {
    return (
      <span className="block truncate text-sm leading-6 text-ink-soft pointer-coarse:pt-5">
        {post.authorName}
      </span>
    )
  }
  if (post.authorHasPage && post.authorId !== null) {
    return (
      <Link href={personPath(post.authorId)} className={nameClass}>
        {post.authorName}
      </Link>
    )
  }
  return (
    <button type="button" onClick={() => details.showAuthorOf(post)} className={nameClass}>
      {post.authorName}
    </button>
  )
}

const nameClass =
  'touch block w-fit max-w-full truncate text-start text-sm leading-6 font-medium pointer-coarse:pt-5 hover:underline'
