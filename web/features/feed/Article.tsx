import { type FormEvent, type ReactNode, useState } from 'react'
import type { PublicPost } from '#contract/feed/post.ts'
import { readingMinutes } from '#contract/feed/reading-time.ts'
import { isBlank } from '#contract/text.ts'
import { formOf } from '#contract/text-form.ts'
import { useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { nothingStored, useEditor } from '#web/lib/editor/use-editor.ts'
import { useIsInBrowser } from '#web/lib/in-browser.ts'
import { useClockFormat } from '#web/lib/locale.ts'
import { submitOnCtrlEnter } from '#web/lib/send-shortcuts.ts'
import { guestId } from '#web/lib/session-keys.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TwoTexts } from '#web/ui/TwoTexts.tsx'
import { WrittenBody } from '#web/ui/WrittenText.tsx'
import { useAuthorOf } from './ArticleAuthor.tsx'
import { ArticleNav } from './ArticleNav.tsx'
import { ArticleTools } from './ArticleTools.tsx'
import { AuthorLink } from './AuthorLink.tsx'
import { addComment, readComments } from './comments.ts'
import { pictureSize } from './picture-size.ts'
import { PostActions } from './PostActions.tsx'
import { editedText, postTime } from './post-time.ts'

interface ArticleProps {
  post: PublicPost
}

/** The title of a post. A text without one has the name of its author there. */
export function ArticleTitle({ post }: ArticleProps) {
  return formOf(post.content).title ?? <AuthorLink post={post} />
}

/** The line below the title. */
export function ArticleByline({ post }: ArticleProps) {
  const { timeZone } = useAppConfig()
  const clock = useClockFormat()
  const minutes = readingMinutes(post.content)
  return (
    <>
      {formOf(post.content).title !== null && (
        <>
          <AuthorLink post={post} /> ·{' '}
        </>
      )}
      <time dateTime={post.publishedAt ?? post.createdAt} suppressHydrationWarning>
        {postTime(post, timeZone, clock)}
      </time>
      {editedText(post, timeZone, clock)}
      {minutes >= 2 && <span className="print:hidden"> · {minutes} minutes to read</span>}
    </>
  )
}

/** The text of a post below its title, what leads on from it, `next`, and the comments of this browser. */
export function ArticleBody({ post, next }: ArticleProps & { next?: ReactNode }) {
  const { state, user } = useSession()
  const isInBrowser = useIsInBrowser()
  const author = useAuthorOf(post)
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
      <div className="reading" data-testid="article-content" data-long-text>
        <WrittenBody form={formOf(post.content, post.form)} />
      </div>
      <div className="flex flex-col gap-6 font-sans text-base print:hidden">
        {post.tags.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
            {post.tags.map((tag) => (
              <li key={tag} dir="auto" className="wrap-anywhere">
                {tag}
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <PostActions post={post} onComment={goToComments} />
          <ArticleTools post={post} />
        </div>
        <ArticleNav post={post} />
        {next}
        {author.above}
        {/* The owner of a draft has to be known before the first letter of it is stored. */}
        {isInBrowser && state !== 'unknown' && !author.isAwaited ? (
          <Comments postId={post.id} owner={user?.id ?? guestId()} />
        ) : (
          <div data-waiting />
        )}
        {author.below}
      </div>
    </div>
  )
}

/** The heading gets the focus, not the field: on a phone the keyboard would cover the comments. */
const goToComments = () => document.getElementById('comments')?.focus()

function Comments({ postId, owner }: { postId: string; owner: string }) {
  const [comments, setComments] = useState(() => readComments(postId))
  const save = async (content: string) => {
    setComments(addComment(postId, content, new Date()))
    return nothingStored
  }
  const editor = useEditor({
    owner,
    place: `comment/${postId}`,
    stored: nothingStored,
    save,
  })

  const add = (event: FormEvent) => {
    event.preventDefault()
    if (!isBlank(editor.text)) void editor.save()
  }
  return (
    <section aria-labelledby="comments" className="flex flex-col gap-4 border-t border-line pt-6">
      <h2 id="comments" tabIndex={-1} className="text-xl outline-none">
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
              <p dir="auto" className="whitespace-pre-wrap">
                {comment.content}
              </p>
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
