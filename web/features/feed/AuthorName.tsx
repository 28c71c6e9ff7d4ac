import { Link } from 'wouter'
import { authorIdOf, authorsOf } from '#contract/feed/authors.ts'
import { deletedAuthorName, type PublicPost } from '#contract/feed/post.ts'
import { personPath } from '#contract/people/paths.ts'
import { useDetails, useMarks } from '#web/features/details/index.ts'

/**
 * The name of an author. It leads to the page of the author. Without a page it opens the details of the author, which come
 * from the loaded posts.
 */
export function AuthorName({ post, posts }: { post: PublicPost; posts: readonly PublicPost[] }) {
  const details = useDetails()
  const { followed } = useMarks()
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
  const open = () => {
    const id = authorIdOf(post)
    const author = authorsOf(posts, followed).find((known) => known.id === id)
    if (author) details.showAuthor(author)
  }
  return (
    <button type="button" onClick={open} className={nameClass}>
      {post.authorName}
    </button>
  )
}

const nameClass =
  'touch block w-fit max-w-full truncate text-left text-sm leading-6 font-medium pointer-coarse:pt-5 hover:underline'
