import { authorIdOf, authorsOf } from '#contract/feed/authors.ts'
import { deletedAuthorName, type Post } from '#contract/feed/post.ts'
import { useDetails, useMarks } from '#web/features/details/index.ts'

/** The author's name, which opens what is known of them from the loaded posts. */
export function AuthorName({ post, posts }: { post: Post; posts: readonly Post[] }) {
  const details = useDetails()
  const { followed } = useMarks()
  if (post.authorName === deletedAuthorName && post.authorId === null) {
    return (
      <span className="block truncate text-sm leading-6 text-ink-soft pointer-coarse:pt-5">
        {post.authorName}
      </span>
    )
  }
  const open = () => {
    const id = authorIdOf(post)
    const author = authorsOf(posts, followed).find((known) => known.id === id)
    if (author) details.showAuthor(author)
  }
  return (
    <button
      type="button"
      onClick={open}
      className="touch block max-w-full truncate text-left text-sm leading-6 font-medium pointer-coarse:pt-5 hover:underline"
    >
      {post.authorName}
    </button>
  )
}
