import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { listScheduledPosts, type ScheduledPost } from '#contract/feed/scheduled/endpoints.ts'
import { LocalTime, zoneSentence } from '#web/features/posts/index.ts'
import { useHas } from '#web/lib/app-config.tsx'
import { answersOf } from '#web/lib/api.ts'
import { useInterval } from '#web/lib/interval.ts'
import { usePages } from '#web/lib/pages.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { useFocusBeside } from '#web/ui/use-focus-beside.ts'
import { firstLineOf } from './first-line.ts'
import { Words } from './OwnPosts.tsx'
import { listsOfAppeared, usePublishNow, useUnschedule } from './use-scheduled-posts.tsx'

const lookEveryMs = 5000

/** The posts of this person that will be published, the next one first. */
export function ScheduledPosts() {
  const hasPremium = useHas('premium')
  const posts = usePages(listScheduledPosts, { limit: '50' })
  const list = useRef<HTMLUListElement>(null)
  const client = useQueryClient()
  const items = posts.status === 'ready' ? posts.data.items : []
  useInterval(lookEveryMs, () => {
    if (items.some(({ publishAt }) => Date.parse(publishAt) <= serverNow()))
      void client.invalidateQueries(answersOf([listScheduledPosts]))
  })
  const ids = items.map(({ id }) => id).join(' ')
  const idsBefore = useRef(ids)
  useEffect(() => {
    const hasLeft = idsBefore.current.split(' ').some((id) => !ids.includes(id))
    idsBefore.current = ids
    // A post that has left the list stands in others now.
    if (hasLeft) void readAgain(client, answersOf(listsOfAppeared))
  }, [client, ids])
  if (posts.status !== 'ready') return <ListNotReady of={posts} what="Your posts" count={3} each="h-16" />
  if (items.length === 0)
    return (
      <EmptyState
        text={`No post of yours is scheduled.${hasPremium ? ' A premium post can appear at a time you choose.' : ''}`}
      />
    )
  return (
    <div className="flex flex-col gap-4">
      <Outdated of={posts} what="Your posts" />
      <p className="text-sm text-ink-soft">
        Nobody else sees these posts before their time. {zoneSentence()}
      </p>
      <ul ref={list} aria-label="Scheduled posts" className="flex flex-col divide-y divide-line">
        {items.map((post) => (
          <ScheduledRow key={post.id} post={post} />
        ))}
      </ul>
      <ShowMore of={posts.data} list={list} />
    </div>
  )
}

function ScheduledRow({ post }: { post: ScheduledPost }) {
  const line = firstLineOf(post.beginning)
  const row = useFocusBeside<HTMLLIElement>()
  const [changes, setChanges] = useState(false)
  const publishing = usePublishNow()
  const unscheduling = useUnschedule()
  return (
    <li ref={row} className="flex flex-col gap-2 py-3">
      <div>
        <p dir="auto" className="font-serif text-lg wrap-anywhere">
          {line}
        </p>
        <p className="text-xs text-ink-soft">
          Appears <LocalTime at={post.publishAt} />, <Words count={post.wordCount} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" className={actionClass} onClick={() => setChanges(true)}>
          Change time<span className="sr-only"> of {line}</span>
        </Button>
        <Button
          variant="quiet"
          className={actionClass}
          busy={publishing.isRunning}
          disabled={unscheduling.isRunning}
          onClick={() => void publishing.publish(post.id)}
        >
          Publish now<span className="sr-only"> {line}</span>
        </Button>
        <Button
          variant="quiet"
          className={actionClass}
          busy={unscheduling.isRunning}
          disabled={publishing.isRunning}
          onClick={() => void unscheduling.unschedule(post)}
        >
          Back to drafts<span className="sr-only"> {line}</span>
        </Button>
      </div>
      {changes && <TimeDialog post={post} line={line} onClose={() => setChanges(false)} />}
    </li>
  )
}

/** On a phone the three stand in one row. */
const actionClass = 'max-sm:flex-auto max-sm:px-2'

const TimeDialog = part(async () => (await import('./TimeDialog.tsx')).TimeDialog, failedDialog)
