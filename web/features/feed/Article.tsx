import { type FormEvent, useState } from 'react'
import { type Post, titleOf } from '#contract/feed/post.ts'
import { isBlank } from '#contract/text.ts'
import { formOf, type TextForm } from '#contract/text-form.ts'
import { useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { emptyDraft, useEditor } from '#web/lib/editor/use-editor.ts'
import { useIsInBrowser } from '#web/lib/in-browser.ts'
import { useClockFormat } from '#web/lib/locale.ts'
import { useTitleOverPage } from '#web/lib/page-title.ts'
import { submitOnCtrlEnter } from '#web/lib/send-keys.ts'
import { guestId } from '#web/lib/session-storage.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageDialog } from '#web/ui/PageDialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { WrittenBody } from '#web/ui/WrittenText.tsx'
import { AuthorLink } from './AuthorLink.tsx'
import { usePost } from './api.ts'
import { useLeaveArticle } from './article.ts'
import { addComment, readComments } from './comments.ts'
import { pictureSize } from './picture-size.ts'
import { PostActions } from './PostCard.tsx'
import { postTime } from './post-time.ts'

export interface ArticleDialogProps {
  postId: string
  /** The article is the first thing that this page shows: it appears without motion. */
  isFirst?: boolean
}

/** A post on a page of its own, with the comments of this browser. */
export function ArticleDialog({ postId, isFirst = false }: ArticleDialogProps) {
  const post = usePost(postId)
  const { timeZone } = useAppConfig()
  const clock = useClockFormat()
  useTitleOverPage(post.status === 'ready' ? titleOf(post.data) : undefined)
  const leave = useLeaveArticle()
  if (post.status !== 'ready') {
    return (
      <PageDialog title="Article" onClose={leave} isFirst={isFirst}>
        {post.status === 'loading' ? (
          <Skeleton className="h-96 w-full" />
        ) : (
          <FailedState text="This article could not be loaded." onTryAgain={post.refetch} />
        )}
      </PageDialog>
    )
  }
  const form = formOf(post.data.content)
  const time = (
    <time dateTime={post.data.publishedAt ?? post.data.createdAt} suppressHydrationWarning>
      {postTime(post.data, timeZone, clock)}
    </time>
  )
  return (
    <PageDialog
      title={form.title ?? <AuthorLink post={post.data} />}
      byline={
        form.title === null ? (
          time
        ) : (
          <>
            <AuthorLink post={post.data} /> · {time}
          </>
        )
      }
      onClose={leave}
      isFirst={isFirst}
    >
      <Article post={post.data} form={form} />
    </PageDialog>
  )
}

function Article({ post, form }: { post: Post; form: TextForm }) {
  const { state, user } = useSession()
  const isInBrowser = useIsInBrowser()
  return (
    <div className="flex flex-col gap-8">
      {post.imageUrl !== null && (
        <img
          src={post.imageUrl}
          {...pictureSize(post.imageUrl)}
          alt=""
          className="w-full rounded-md bg-sunk object-contain"
        />
      )}
      <div className="reading" data-testid="article-content">
        <WrittenBody form={form} />
      </div>
      <div className="flex flex-col gap-6 font-sans text-base">
        <PostActions post={post} />
        {/* The owner of a draft has to be known before the first letter of it is stored. */}
        {isInBrowser && state !== 'unknown' && <Comments postId={post.id} owner={user?.id ?? guestId()} />}
      </div>
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
      <h2 id="comments" className="text-xl">
        Comments
      </h2>
      <p className="text-sm text-ink-soft">Comments are kept in this browser only.</p>
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
      <form className="flex flex-col gap-3" onSubmit={add} onKeyDown={submitOnCtrlEnter}>
        <TextArea
          label="Your comment"
          value={editor.text}
          readOnly={editor.state === 'loading'}
          error={
            editor.state === 'failed'
              ? 'The storage of this browser is full. Your text is still here.'
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
