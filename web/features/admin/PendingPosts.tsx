import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { bulkApproveMax } from '#contract/feed/endpoints.ts'
import type { PendingPost } from '#contract/feed/post.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useApprovePosts, useIsReadingPendingPosts, usePendingPosts } from './api.ts'
import { PendingRow } from './PendingRow.tsx'

/** The submissions that wait for an admin. */
export function PendingPosts() {
  const pending = usePendingPosts()
  const isReading = useIsReadingPendingPosts()
  if (pending.status === 'loading') {
    return (
      <div className="flex flex-col gap-3">
        {[1, 2, 3].map((place) => (
          <Skeleton key={place} className="h-40" />
        ))}
      </div>
    )
  }
  if (pending.status === 'failed') {
    return (
      <FailedState text="The waiting posts could not be loaded." onTryAgain={() => void pending.refetch()} />
    )
  }
  return (
    <section aria-labelledby="pending-title">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="pending-title" className="text-xl font-semibold">
          Pending submissions
        </h2>
        <div className="flex items-center gap-3">
          <output className="text-sm text-ink-soft">{waiting(pending.data.length)}</output>
          <Button variant="quiet" busy={isReading} onClick={() => void pending.refetch()}>
            <RefreshCw aria-hidden className="size-4" />
            Refresh
          </Button>
        </div>
      </div>
      {pending.refetchError && (
        <QuietLine text="The list could not be read again." busy={isReading} onTryAgain={pending.refetch} />
      )}
      {pending.data.length === 0 ? (
        <EmptyState text="No posts are waiting for review" drawing="letter" />
      ) : (
        <PendingList posts={pending.data} />
      )}
    </section>
  )
}

function PendingList({ posts }: { posts: readonly PendingPost[] }) {
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set())
  const approval = useApprovePosts()
  const toast = useToast()
  // What another admin approved meanwhile has left the list, and so the choice.
  const chosen = posts.filter((post) => chosenIds.has(post.id))
  const isRunning = approval.status === 'running'

  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosenIds)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosenIds(next)
  }
  const approveChosen = async () => {
    const postIds = chosen.map((post) => post.id)
    try {
      for (let from = 0; from < postIds.length; from += bulkApproveMax) {
        // One call after the other: where one fails, the list shows how far it went.
        await approval.run({ input: { postIds: postIds.slice(from, from + bulkApproveMax) } })
      }
      setChosenIds(new Set())
      toast({ title: postIds.length === 1 ? '1 post approved' : `${postIds.length} posts approved` })
    } catch {
      // The line below the buttons tells of it, and the choice stays.
    }
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg bg-sunk px-4 py-2">
        <Checkbox
          label="Select all"
          checked={chosen.length === posts.length}
          ref={(box) => {
            if (box) box.indeterminate = chosen.length > 0 && chosen.length < posts.length
          }}
          onChange={(event) =>
            setChosenIds(new Set(event.target.checked ? posts.map((post) => post.id) : []))
          }
        />
        <Button busy={isRunning} disabled={chosen.length === 0} onClick={() => void approveChosen()}>
          {chosen.length === 0 ? 'Approve selected' : `Approve selected (${chosen.length})`}
        </Button>
      </div>
      {approval.status === 'failed' && (
        <QuietLine text="Failed to approve posts" onTryAgain={() => void approveChosen()} />
      )}
      <ul className="mt-3 flex flex-col gap-3">
        {posts.map((post) => (
          <PendingRow
            key={post.id}
            post={post}
            isChosen={chosenIds.has(post.id)}
            onChoose={(isChosen) => choose(post.id, isChosen)}
          />
        ))}
      </ul>
    </>
  )
}

const waiting = (count: number) => (count === 1 ? '1 post is waiting' : `${count} posts are waiting`)
