import { type FormEvent, useState } from 'react'
import { isBlank } from '#contract/text.ts'
import { type Post, titleOf } from '#contract/feed/post.ts'
import { useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.ts'
import { emptyDraft, useEditor } from '#web/lib/editor/use-editor.ts'
import { useTitleOverPage } from '#web/lib/page-title.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { usePost } from './api.ts'
import { useLeaveArticle } from './article.ts'
import { addComment, readComments } from './comments.ts'
import { PostActions } from './PostCard.tsx'
import { postTime } from './post-time.ts'

/** The whole text of a post with the comments of this browser. */
export function ArticleDialog({ postId }: { postId: string }) {
  const post = usePost(postId)
  useTitleOverPage(post.status === 'ready' ? titleOf(post.data) : undefined)
  const { timeZone } = useAppConfig()
  const leave = useLeaveArticle()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && leave()}
      size="large"
      title={post.status === 'ready' ? post.data.authorName : 'Article'}
      {...(post.status === 'ready' && { description: postTime(post.data, timeZone) })}
    >
      {post.status === 'loading' && <Skeleton className="h-96 w-full" />}
      {post.status === 'failed' && (
        <FailedState text="This article could not be loaded." onTryAgain={post.refetch} />
      )}
      {post.status === 'ready' && <Article post={post.data} />}
    </Dialog>
  )
}

function Article({ post }: { post: Post }) {
  const { state, user } = useSession()
  return (
    <div className="mx-auto flex max-w-reading flex-col gap-6">
      {post.imageUrl !== null && (
        <img src={post.imageUrl} alt="" className="w-full rounded-md bg-sunk object-contain" />
      )}
      <div className="reading whitespace-pre-wrap" data-testid="article-content">
        {post.content}
      </div>
      <PostActions post={post} />
      {/* Whose comment it is has to be known before a word of it is kept. */}
      {state !== 'unknown' && <Comments postId={post.id} owner={user?.id ?? guestId()} />}
    </div>
  )
}

function Comments({ postId, owner }: { postId: string; owner: string }) {
  const [comments, setComments] = useState(() => readComments(postId))
  const save = async (content: string) => {
    setComments(addComment(postId, content, new Date()))
    return emptyDraft
  }
  const editor = useEditor({
    owner,
    place: `comment/${postId}`,
    stored: emptyDraft,
    save,
  })

  const add = (event: FormEvent) => {
    event.preventDefault()
    if (!isBlank(editor.text)) void editor.save()
  }
  return (
    <section aria-labelledby="comments" className="flex flex-col gap-4 border-t border-line pt-6">
      <h3 id="comments" className="text-xl">
        Comments
      </h3>
      <p className="text-sm text-ink-soft">Comments stay in this browser.</p>
      <ul className="flex flex-col gap-4" aria-live="polite">
        {comments.map((comment) => (
          <li key={comment.id} className="flex gap-3">
            <Avatar name={comment.author} size="small" />
            <div className="min-w-0">
              <p className="text-sm">
                <span className="font-medium">{comment.author}</span>{' '}
                <span className="text-ink-soft">{comment.timestamp}</span>
              </p>
              <p className="whitespace-pre-wrap">{comment.content}</p>
            </div>
          </li>
        ))}
      </ul>
      <form className="flex flex-col gap-3" onSubmit={add}>
        <TextArea
          label="Your comment"
          value={editor.text}
          readOnly={editor.state === 'opening'}
          error={
            editor.state === 'failed'
              ? 'This browser has no room for the comment. Your text is still here.'
              : undefined
          }
          onChange={(event) => editor.change(event.target.value)}
        />
        <Button type="submit" className="w-fit" disabled={isBlank(editor.text)}>
          Post Comment
        </Button>
      </form>
      <TwoTexts editor={editor} />
    </section>
  )
}
