import { Link } from 'wouter'
import type { PublicPost } from '#contract/feed/post.ts'
import { personPath } from '#contract/people/paths.ts'

/** The name of an author in a line of text: it leads to the page of the author, if there is one. */
export function AuthorLink({ post: { authorId, authorName, authorHasPage } }: { post: PublicPost }) {
  if (!authorHasPage || authorId === null) return authorName
  return (
    <Link href={personPath(authorId)} className="touch underline-offset-4 hover:underline">
      {authorName}
    </Link>
  )
}
