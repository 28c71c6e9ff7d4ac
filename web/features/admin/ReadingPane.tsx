import { useEffect, useEffectEvent } from 'react'
import type { PendingPost } from '#contract/feed/post.ts'
import { useSession } from '#web/features/account/index.ts'
import { useErase } from '#web/features/erasing/index.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { WrittenText } from '#web/ui/WrittenText.tsx'
import { OwnPostLine } from './OwnPostLine.tsx'
import { wordsOf } from './PendingRow.tsx'
import { PublishedText } from './PublishedText.tsx'
import { QueueKeys } from './QueueKeys.tsx'
import type { DecisionKind, useHeldDecisions } from './use-held-decisions.ts'
import { useMayDecide } from './use-may-decide.ts'
import { focusPlaceOf } from './use-queue-keys.ts'
import { visibilityWords } from './visibility-words.ts'

export interface ReadingPaneProps {
  /** The queue. */
  posts: readonly PendingPost[]
  id: string
  onOpen: (id: string) => void
  decisions: Pick<ReturnType<typeof useHeldDecisions>, 'decide' | 'undo'>
  onClose: () => void
}

/** The whole text of a waiting post. After a decision it shows the next post. */
export function ReadingPane({ posts, id, onOpen, decisions, onClose }: ReadingPaneProps) {
  const place = posts.findIndex((post) => post.id === id)
  const post = posts[place]
  // Another admin may have decided about the post meanwhile.
  const isGone = post === undefined
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isGone) close()
  }, [isGone])

  const { isAdmin } = useSession()
  const mayDecide = useMayDecide()
  const { erase, dialog: erasing } = useErase()
  const open = (next: PendingPost | undefined) => next && onOpen(next.id)
  const decide = (kind: DecisionKind) => {
    if (!post || !mayDecide(post)) return
    const next = posts[place + 1] ?? posts[place - 1]
    if (next) onOpen(next.id)
    else onClose()
    decisions.decide(post, kind)
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    // The admin may type the reason of an erasure.
    if (erasing !== null || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'j') open(posts[place + 1])
    if (event.key === 'k') open(posts[place - 1])
    if (event.key === 'a') decide('approve')
    if (event.key === 's') decide('setAside')
    if (event.key === 'u') {
      const returned = decisions.undo()
      if (returned !== undefined) onOpen(returned)
    }
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  if (isGone) return null
  return (
    <Dialog
      onClose={onClose}
      focusAfter={() => focusPlaceOf(id)}
      size="large"
      title={post.authorName}
      description={`${wordsOf(post.content)}, post ${place + 1} of ${posts.length}`}
      footer={
        <>
          <span className="me-auto flex items-center gap-3">
            <Button variant="quiet" disabled={place === 0} onClick={() => open(posts[place - 1])}>
              Previous
            </Button>
            <Button
              variant="quiet"
              disabled={place === posts.length - 1}
              onClick={() => open(posts[place + 1])}
            >
              Next
            </Button>
            <span className="hidden text-xs text-ink-soft lg:pointer-fine:inline">
              <QueueKeys />
            </span>
          </span>
          {isAdmin && (
            <Button
              variant="link"
              className="text-sm"
              onClick={() =>
                erase({ kind: post.replacesId === null ? 'post' : 'version', id, content: post.content })
              }
            >
              Erase
            </Button>
          )}
          {mayDecide(post) ? (
            <>
              <Button variant="quiet" onClick={() => decide('setAside')}>
                {visibilityWords(true, false).verb}
              </Button>
              <Button onClick={() => decide('approve')}>Approve</Button>
            </>
          ) : (
            <OwnPostLine />
          )}
        </>
      }
    >
      {post.replacesId !== null && (
        <div key={post.replacesId} className="mx-auto mb-6 max-w-prose">
          <Badge>New version of a published post</Badge>
          <PublishedText postId={post.replacesId} content={post.content} authorName={post.authorName} />
        </div>
      )}
      {post.watchedWords && (
        <p className="mx-auto mb-4 max-w-prose text-sm text-warn">
          Watched {post.watchedWords.length === 1 ? 'word' : 'words'} in it:{' '}
          <bdi>{post.watchedWords.join(', ')}</bdi>
        </p>
      )}
      {(post.category !== null || post.tags.length > 0) && (
        <div className="mx-auto mb-4 max-w-prose">
          <ul aria-label="Category and tags" className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
            {post.category !== null && <li>{post.category}</li>}
            {post.tags.map((tag) => (
              <li key={tag}>#{tag}</li>
            ))}
          </ul>
        </div>
      )}
      <div
        key={id}
        role="region"
        aria-label={`The text of ${post.authorName}`}
        dir="auto"
        className="mx-auto max-w-prose font-serif text-lg whitespace-pre-wrap wrap-anywhere"
      >
        <WrittenText text={post.content} form={post.form} titleAs="h3" titleClass="text-xl" />
      </div>
      {erasing}
    </Dialog>
  )
}
