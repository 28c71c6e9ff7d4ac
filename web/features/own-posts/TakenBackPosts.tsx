import { useRef, useState } from 'react'
import { listTakenBackPosts, type TakenBackPost } from '#contract/feed/own/endpoints.ts'
import { takenBackDays } from '#contract/feed/post.ts'
import { cut } from '#contract/text.ts'
import { usePages } from '#web/lib/pages.ts'
import { Time } from '#web/lib/Time.tsx'
import { AlertDialog } from '#web/ui/AlertDialog.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { NotReady, Outdated } from '#web/ui/NotReady.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useDeleteForGood, useRestore } from './use-own-posts.ts'

const titleLength = 80

/** The posts that this person took back. */
export function TakenBackPosts() {
  const posts = usePages(listTakenBackPosts, { limit: '20' })
  const list = useRef<HTMLUListElement>(null)
  return (
    <Card
      as="section"
      id="taken-back"
      aria-labelledby="taken-back-title"
      className="flex scroll-mt-20 flex-col gap-4 p-6"
    >
      <div>
        <h2 id="taken-back-title" className="text-xl">
          Taken back
        </h2>
        <p className="mt-2 text-sm text-ink-soft">
          Nobody else sees these posts. After {takenBackDays} days each is deleted with its versions.
        </p>
      </div>
      <NotReady of={posts} what="These posts" waiting={<Skeleton className="h-16 w-full" />} />
      {posts.status === 'ready' && (
        <>
          <Outdated of={posts} what="These posts" />
          {posts.data.items.length === 0 && <p className="text-sm">You have taken no post back.</p>}
          <ul ref={list} aria-label="Taken back" className="flex flex-col divide-y divide-line empty:hidden">
            {posts.data.items.map((post) => (
              <TakenBackRow key={post.id} post={post} />
            ))}
          </ul>
          <ShowMore of={posts.data} list={list} />
        </>
      )}
    </Card>
  )
}

function TakenBackRow({ post: { id, beginning, takenBackAt, kind } }: { post: TakenBackPost }) {
  const [isAsking, setIsAsking] = useState(false)
  const restore = useRestore()
  const deletion = useDeleteForGood()
  const title = cut(beginning.trim().split('\n', 1)[0]!, titleLength)
  const answer = async (yes: boolean) => {
    if (yes) await deletion.attempt({ params: { id } })
    setIsAsking(false)
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p dir="auto" className="font-serif wrap-anywhere">
          {title}
        </p>
        <p className="text-xs text-ink-soft">
          {kind === 'deleted' ? 'Deleted' : 'Unpublished'} <Time at={takenBackAt} />
        </p>
        {deletion.status === 'failed' && (
          <QuietLine text="The post could not be deleted." onTryAgain={() => void answer(true)} />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" onClick={() => void restore(id)}>
          Restore
          <span className="sr-only">{title}</span>
        </Button>
        <Button variant="link" className="text-sm" onClick={() => setIsAsking(true)}>
          Delete for good
          <span className="sr-only">{title}</span>
        </Button>
      </div>
      {isAsking && (
        <AlertDialog
          text="Delete this post and its versions for good?"
          verb="Delete"
          canCancel
          danger
          busy={deletion.status === 'running'}
          onAnswer={(yes) => void answer(yes === true)}
        />
      )}
    </li>
  )
}
