import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { postPath } from '#contract/feed/post.ts'
import type { OwnPost } from '#contract/feed/review/endpoints.ts'
import { useSession } from '#web/features/account/index.ts'
import { PostState } from '#web/features/posts/index.ts'
import { Time } from '#web/lib/Time.tsx'
import { useFocusBeside } from '#web/ui/use-focus-beside.ts'
import { firstLineOf } from './first-line.ts'
import { OwnPostMenu } from './own-post-menu-part.tsx'

interface OwnPostRowProps {
  post: OwnPost
  /** What stands after the times. */
  children?: ReactNode
}

/** An own post in a list, with what admins decided about it and about its new version. */
export function OwnPostRow({ post, children }: OwnPostRowProps) {
  const { id, beginning, createdAt, publishedAt, editedAt, isVisible, waitingVersion, reason } = post
  const { state } = useSession()
  const line = firstLineOf(beginning)
  const row = useFocusBeside<HTMLLIElement>()
  return (
    <li ref={row} className="flex flex-col gap-1 py-3">
      <div className="flex items-start justify-between gap-3">
        <p dir="auto" className="min-w-0 font-serif text-lg wrap-anywhere">
          {publishedAt !== null && isVisible ? (
            <Link href={postPath(id)} className="touch hover:underline">
              {line}
            </Link>
          ) : (
            line
          )}
        </p>
        <div className="flex shrink-0 items-center gap-2">
          <PostState post={post} />
          {state === 'registered' && (
            <OwnPostMenu postId={id} isPublished={publishedAt !== null} className="-my-1.5" />
          )}
        </div>
      </div>
      <p className="text-xs text-ink-soft">
        {publishedAt === null ? 'Sent' : 'Published'} <Time at={publishedAt ?? createdAt} />
        {publishedAt === null && isVisible && ', reviewed within a week'}
        {editedAt !== null && (
          <>
            , edited <Time at={editedAt} />
          </>
        )}
        {children}
      </p>
      <Reason text={reason} />
      {waitingVersion !== null && (
        <>
          <p className="text-sm">
            {waitingVersion.isVisible ? 'A new version waits for review.' : 'The new version was set aside.'}
          </p>
          <Reason text={waitingVersion.reason} />
        </>
      )}
    </li>
  )
}

const Reason = ({ text }: { text: string | null }) =>
  text !== null && (
    <p dir="auto" className="border-s-2 border-edge ps-3 text-sm whitespace-pre-wrap wrap-anywhere">
      {text}
    </p>
  )
