import { RefreshCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { PendingPost } from '#contract/feed/post.ts'
import { onKeys } from '#web/lib/keys.ts'
import type { Pages } from '#web/lib/pages.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { NotReady } from '#web/ui/NotReady.tsx'
import { Skeletons } from '#web/ui/Skeletons.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import {
  type QueueQuery,
  useApprovePosts,
  useChangeVisibilities,
  useIsReadingPendingPosts,
  usePendingPosts,
} from './api.ts'
import { BulkBar } from './BulkBar.tsx'
import { DecisionDialog, ReadingPane } from './decision-parts.ts'
import { PendingRow } from './PendingRow.tsx'
import { QueueKeys } from './QueueKeys.tsx'
import { type BatchReport, countOfPosts, useBatches } from './use-batches.ts'
import { useHeldDecisions } from './use-held-decisions.ts'
import { useMayDecide } from './use-may-decide.ts'
import { focusOn, focusPlaceOf, useQueueKeys } from './use-queue-keys.ts'

/** More rows would make the page slow. The next ones come once these are decided. */
const shownMax = 1000

export function PendingPosts() {
  const [query, setQuery] = useState<QueueQuery>({ order: 'oldest' })
  const decisions = useHeldDecisions()
  const mayDecide = useMayDecide()
  const pending = usePendingPosts(query)
  const isReading = useIsReadingPendingPosts()
  if (pending.status !== 'ready')
    return <NotReady of={pending} what="The waiting posts" waiting={<Skeletons count={3} each="h-40" />} />
  const { readMore } = pending.data
  const items = pending.data.items.filter(({ id }) => !decisions.hiddenIds.has(id))
  // As beside Moderation in the sidebar, the own posts of a moderator do not count.
  const decidable = items.filter(mayDecide).length
  return (
    <section aria-labelledby="pending-title">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <h2 id="pending-title" tabIndex={-1} className="text-xl font-semibold outline-none">
          Pending submissions
        </h2>
        <div className="flex flex-wrap items-end gap-3">
          <output className="py-2 text-sm text-ink-soft">
            {items.length === 0 && readMore !== null ? 'More posts are waiting' : waiting(decidable)}
            {items.length > 0 && readMore !== null && ', and more'}
          </output>
          <SelectField
            label="Waiting"
            options={[
              { value: '', label: 'All' },
              { value: 'soon', label: 'Due within 2 days, or late' },
              { value: 'overdue', label: 'Past the week' },
            ]}
            value={query.due ?? ''}
            onChange={(due) => setQuery({ ...query, due: due || undefined })}
          />
          <SelectField
            label="Order"
            options={[
              { value: 'newest', label: 'Newest first' },
              { value: 'oldest', label: 'Longest wait first' },
            ]}
            value={query.order ?? 'oldest'}
            onChange={(order) => setQuery({ ...query, order })}
          />
          <Button variant="quiet" busy={isReading} onClick={pending.refetch}>
            <RefreshCw aria-hidden className="size-4" />
            Refresh
          </Button>
        </div>
      </div>
      {pending.refetchError && (
        <QuietLine text="The list could not be refreshed." busy={isReading} onTryAgain={pending.refetch} />
      )}
      {items.length === 0 ? (
        <EmptyState
          text={
            readMore !== null
              ? 'No post that was read so far is waiting'
              : query.due
                ? 'No posts are due'
                : 'No posts are waiting for review'
          }
          drawing="letter"
          action={
            readMore && (
              <Button variant="quiet" busy={pending.data.isReadingMore} onClick={readMore}>
                Show the next posts
              </Button>
            )
          }
        />
      ) : (
        <PendingList pages={{ ...pending.data, items }} decisions={decisions} />
      )}
      {items.length === 0 && <UndoKey onUndo={decisions.undo} />}
    </section>
  )
}

/** Without a list only a decision can be undone. */
function UndoKey({ onUndo }: { onUndo: () => void }) {
  useEffect(() => onKeys('u', onUndo), [onUndo])
  return null
}

interface PendingListProps {
  pages: Pages<PendingPost>
  decisions: ReturnType<typeof useHeldDecisions>
}

function PendingList({ pages, decisions }: PendingListProps) {
  const posts = pages.items
  const { takeReturnedId } = decisions
  const list = useRef<HTMLUListElement>(null)
  const approveButton = useRef<HTMLButtonElement>(null)
  const reasonButton = useRef<HTMLButtonElement>(null)
  /** The posts that were selected when the dialog was opened. */
  const [asked, setAsked] = useState<readonly string[] | null>(null)
  const [openedId, setOpenedId] = useState<string | null>(null)
  const keys = useQueueKeys(posts, decisions)
  const mayDecide = useMayDecide()
  const approval = useApprovePosts()
  const setting = useChangeVisibilities()
  const { selectedKeys: selectedIds, setSelectedKeys, select, run, progress } = useBatches()
  const [report, setReport] = useState<BatchReport | null>(null)
  // A post that another admin has decided about left the list, so it is not selected any more.
  const selected = posts.filter((post) => selectedIds.has(post.id)).map(({ id }) => id)

  const act = (changedTo: string, failed: string, send: (postIds: string[]) => Promise<string[]>) => {
    setReport(null)
    return run([{ ids: selected, send }], changedTo, failed)
  }
  const approve = (reason?: string) =>
    act('approved', 'Failed to approve posts', async (postIds) => {
      const { approved } = await approval.run({ input: { postIds, ...(reason && { reason }) } })
      return approved
    })
  const approveSelected = async () => {
    const made = await approve()
    setReport(made)
    // The pressed button is disabled now, or gone with the list.
    const focused = document.activeElement
    if (made.failure === null && (focused === document.body || focused === approveButton.current))
      focusOn(undefined)
  }
  const setAside = (reason: string) =>
    act('set aside', 'Failed to set posts aside', async (postIds) => {
      const input = { postIds, isVisible: false, isWaiting: true, ...(reason && { reason }) }
      return (await setting.run({ input })).changed
    })
  const choices = [
    {
      verb: 'Set aside',
      decide: async (reason: string) => sentenceOf(await setAside(reason), 'set aside'),
    },
    {
      verb: 'Approve',
      decide: async (reason: string) => sentenceOf(await approve(reason), 'approved'),
    },
  ]
  const isRunning = progress !== null
  useEffect(() => {
    const id = takeReturnedId()
    if (id !== null && openedId === null) focusOn(id)
  })
  return (
    <>
      <BulkBar
        ids={posts.filter(mayDecide).map(({ id }) => id)}
        selected={selected}
        onSelect={setSelectedKeys}
        progress={progress}
        report={report}
        changedTo="approved"
        onTryAgain={() => void approveSelected()}
      >
        <Button
          ref={approveButton}
          busy={isRunning}
          disabled={selected.length === 0}
          onClick={() => void approveSelected()}
        >
          {selected.length === 0 ? 'Approve selected' : `Approve selected (${selected.length})`}
        </Button>
        <Button
          ref={reasonButton}
          variant="quiet"
          disabled={selected.length === 0 || isRunning}
          onClick={() => setAsked(selected)}
        >
          Decide with a reason
        </Button>
      </BulkBar>
      <p className="mt-2 hidden text-xs text-ink-soft pointer-fine:block">
        <QueueKeys opens />
      </p>
      <ul ref={list} className="mt-3 flex flex-col gap-2">
        {posts.map((post) => (
          <PendingRow
            key={post.id}
            post={post}
            isSelected={selectedIds.has(post.id)}
            onSelect={(isSelected) => select(post.id, isSelected)}
            failure={decisions.failures.get(post.id) ?? null}
            onApprove={() => keys.decide(post, 'approve')}
            onOpen={() => setOpenedId(post.id)}
          />
        ))}
      </ul>
      {posts.length < shownMax && (
        <div className="mt-3 flex flex-col">
          <ShowMore of={pages} list={list} />
        </div>
      )}
      {openedId !== null && (
        <ReadingPane
          posts={posts}
          id={openedId}
          onOpen={setOpenedId}
          decisions={decisions}
          onClose={() => setOpenedId(null)}
        />
      )}
      {asked !== null && (
        <DecisionDialog
          title={`Decide about ${countOfPosts(selected.length)}`}
          // A reason never appears under a decision about other posts.
          place={asked.toSorted().join()}
          choices={selected.length === 0 ? [] : choices}
          focusAfter={() => (reasonButton.current?.disabled === false ? null : focusPlaceOf(undefined))}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

const sentenceOf = ({ changed, failure }: BatchReport, changedTo: string) =>
  failure !== null && changed > 0 ? `${countOfPosts(changed)} ${changedTo}. ${failure}` : failure

const waiting = (count: number) => (count === 1 ? '1 post is waiting' : `${count} posts are waiting`)
