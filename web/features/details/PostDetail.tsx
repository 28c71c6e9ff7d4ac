import { authorIdOf, authorsOf } from '#contract/feed/authors.ts'
import type { Post } from '#contract/feed/post.ts'
import { cut, lengthInCodePoints } from '#contract/text.ts'
import { useArticle } from '#web/features/feed/index.ts'
import { useAppConfig } from '#web/lib/app-config.ts'
import { Button } from '#web/ui/Button.tsx'
import { useDetails } from './DetailsProvider.tsx'
import { Facts } from './Facts.tsx'
import { useLoadedPosts } from './loaded-posts.ts'
import { useMarks } from './marks.ts'

const previewLength = 80

export function PostDetail({ post, onClose }: { post: Post; onClose: () => void }) {
  const { timeZone } = useAppConfig()
  const details = useDetails()
  const article = useArticle()
  const loaded = useLoadedPosts()
  const { followed } = useMarks()
  const posts = loaded.some(({ id }) => id === post.id) ? loaded : [post, ...loaded]
  const author = authorsOf(posts, followed).find(({ id }) => id === authorIdOf(post))
  const characters = lengthInCodePoints(post.content)

  const read = () => {
    onClose()
    article.open(post.id)
  }
  return (
    <>
      <p className="reading">{cut(post.content, previewLength)}</p>
      <Facts
        facts={{
          Author: author ? (
            <Button variant="link" onClick={() => details.showAuthor(author)}>
              {post.authorName}
            </Button>
          ) : (
            post.authorName
          ),
          Created: (
            <time dateTime={post.createdAt}>
              {new Date(post.createdAt).toLocaleDateString('en-US', { dateStyle: 'long', timeZone })}
            </time>
          ),
          Length: `${characters.toLocaleString('en-US')} ${characters === 1 ? 'character' : 'characters'}`,
        }}
      />
      <Button onClick={read}>Read the article</Button>
    </>
  )
}
