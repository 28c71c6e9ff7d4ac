import { Link } from 'wouter'
import type { PublicPost } from '#contract/feed/post.ts'
import { personPath } from '#contract/people/paths.ts'
import { cut, lengthInCodePoints } from '#contract/text.ts'
import { openArticle } from '#web/features/posts/index.ts'
import { LongDate } from '#web/lib/Time.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { useAuthorOfPost } from './author-of-post.ts'
import { useDetails } from './DetailsProvider.tsx'
import { Facts } from './Facts.tsx'

const previewLength = 80

export function PostDetail({ post, onClose }: { post: PublicPost; onClose: () => void }) {
  const details = useDetails()
  const author = useAuthorOfPost(post)
  const characters = lengthInCodePoints(post.content)

  const read = () => {
    onClose()
    openArticle(post.id)
  }
  return (
    <>
      <p className="reading">{cut(post.content, previewLength)}</p>
      <Facts
        facts={{
          Author: post.authorHasPage ? (
            <Link href={personPath(post.authorId!)} onClick={onClose} className={buttonClass('link')}>
              {post.authorName}
            </Link>
          ) : author ? (
            <Button variant="link" onClick={() => details.showAuthor(author)}>
              {post.authorName}
            </Button>
          ) : (
            post.authorName
          ),
          Created: <LongDate at={post.createdAt} />,
          Length: `${characters.toLocaleString('en-US')} ${characters === 1 ? 'character' : 'characters'}`,
        }}
      />
      <Button onClick={read}>Read the article</Button>
    </>
  )
}
