import { useRef, useState } from 'react'
import type { AdminPost } from '#contract/feed/review/endpoints.ts'
import type { ReadState } from '#web/lib/api.ts'
import { Button } from '#web/ui/Button.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { type OnePage, useChangeVisibilities } from './api.ts'
import { BulkBar } from './BulkBar.tsx'
import { PostRow } from './PostRow.tsx'
import { type BatchReport, useBatches } from './use-batches.ts'
import { useMayDecide } from './use-may-decide.ts'
import { visibilityWords } from './visibility-words.ts'

interface PostListProps {
  label: string
  page: ReadState<OnePage<AdminPost[]>>
  /** Of an empty list. */
  empty: string
}

/** A page of posts as admins see them, with what can be done about one and about many. */
export function PostList({ label, page, empty }: PostListProps) {
  const top = useRef<HTMLDivElement>(null)
  if (page.status !== 'ready') return <ListNotReady of={page} what="The posts" count={3} each="h-36" />
  const { items, older, newer, newest, isReading } = page.data
  const turn = (to: () => void) => () => {
    to()
    top.current?.focus()
  }
  return (
    <div ref={top} tabIndex={-1} className="flex scroll-mt-20 flex-col gap-3 outline-none">
      <Outdated of={page} what="The posts" />
      {items.length === 0 ? (
        <div className="flex flex-col items-center gap-4 py-8 text-center">
          <p className="font-serif text-lg text-ink-soft">
            {older !== null
              ? 'Nothing among the newer posts. Older posts were not searched yet.'
              : newer !== null
                ? 'This page has no posts any more'
                : empty}
          </p>
          {older === null && newer !== null && (
            <Button variant="quiet" onClick={turn(newest)}>
              Show the newest posts
            </Button>
          )}
        </div>
      ) : (
        <SelectableList
          key={items[0]!.id}
          label={label}
          posts={items}
          onDecided={() => top.current?.focus({ preventScroll: true })}
        />
      )}
      {(older !== null || newer !== null) && (
        <nav aria-label={`Pages of ${label}`} className="flex justify-center gap-3">
          <Button
            variant="quiet"
            disabled={newer === null}
            onClick={newer === null ? undefined : turn(newer)}
          >
            Newer
          </Button>
          <Button
            variant="quiet"
            busy={isReading}
            disabled={older === null}
            onClick={older === null ? undefined : turn(older)}
          >
            Older
          </Button>
        </nav>
      )}
    </div>
  )
}

/** Names a selected post. One that was approved meanwhile is not selected any more. */
const keyOf = ({ id, status }: AdminPost) => `${id} ${status}`

interface SelectableListProps {
  label: string
  posts: readonly AdminPost[]
  /** Called when a decision about selected posts has left the focus on a button that is disabled now. */
  onDecided: () => void
}

function SelectableList({ label, posts, onDecided }: SelectableListProps) {
  const change = useChangeVisibilities()
  const mayDecide = useMayDecide()
  const { selectedKeys, setSelectedKeys, select, run, progress } = useBatches()
  const [last, setLast] = useState({ isVisible: false, words: visibilityWords(false, false) })
  const [report, setReport] = useState<BatchReport | null>(null)
  const selected = posts.filter((post) => selectedKeys.has(keyOf(post)))
  const [waiting, others] = [true, false].map((isPending) =>
    selected.filter(({ status }) => (status === 'pending') === isPending).map(({ id }) => id),
  ) as [string[], string[]]
  const areWaiting = waiting.length > 0 && others.length === 0
  const send = (input: { isVisible: boolean; isWaiting?: true }) => async (postIds: string[]) =>
    (await change.run({ input: { postIds, ...input } })).changed

  const act = async (visible: boolean) => {
    const words = visibilityWords(areWaiting, visible)
    const pressed = document.activeElement
    setLast({ isVisible: visible, words })
    setReport(null)
    const made = await run(
      [
        { ids: waiting, send: send({ isVisible: visible, ...(!visible && { isWaiting: true }) }) },
        { ids: others, send: send({ isVisible: visible }) },
      ],
      words.changedTo,
      words.bulkFailed,
    )
    setReport(made)
    const focused = document.activeElement
    if (made.failure === null && (focused === document.body || focused === pressed)) onDecided()
  }
  return (
    <>
      <BulkBar
        ids={posts.filter(mayDecide).map(keyOf)}
        selected={selected.map(keyOf)}
        onSelect={setSelectedKeys}
        progress={progress}
        report={report}
        changedTo={last.words.changedTo}
        onTryAgain={() => void act(last.isVisible)}
      >
        {[false, true].map((visible) => (
          <Button
            key={String(visible)}
            variant="quiet"
            busy={progress !== null && last.isVisible === visible}
            disabled={selected.length === 0}
            onClick={() => void act(visible)}
          >
            {visibilityWords(areWaiting, visible).bulkVerb}
          </Button>
        ))}
      </BulkBar>
      <ul aria-label={label} className="flex flex-col gap-3">
        {posts.map((post) => (
          <PostRow
            key={post.id}
            post={post}
            isSelected={selectedKeys.has(keyOf(post))}
            onSelect={(isSelected) => select(keyOf(post), isSelected)}
          />
        ))}
      </ul>
    </>
  )
}
