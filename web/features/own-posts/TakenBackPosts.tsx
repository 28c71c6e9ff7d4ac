import { useRef } from 'react'
import { listTakenBackPosts, type TakenBackPost } from '#contract/feed/own/endpoints.ts'
import { takenBackDays } from '#contract/feed/post.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { usePages } from '#web/lib/pages.ts'
import { OwnTime } from '#web/lib/Time.tsx'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useFocusBeside } from '#web/ui/use-focus-beside.ts'
import { firstLineOf } from './first-line.ts'
import { kindWords, useDeleteForGood, useRestore } from './use-own-posts.tsx'

/** The posts that this person took back. They are kept for some days. */
export function TakenBackPosts() {
  const posts = usePages(listTakenBackPosts, { limit: '50' })
  const list = useRef<HTMLUListElement>(null)
  if (posts.status !== 'ready') return <ListNotReady of={posts} what="Your posts" count={3} each="h-16" />
  if (posts.data.items.length === 0)
    return (
      <EmptyState
        text={`You have taken no post back. A post that you take back is kept here for ${takenBackDays} days.`}
      />
    )
  return (
    <div className="flex flex-col gap-4">
      <Outdated of={posts} what="Your posts" />
      <p className="text-sm text-ink-soft">
        Nobody else sees these posts. After {takenBackDays} days each is deleted with its versions.
      </p>
      <ul ref={list} aria-label="Posts that you took back" className="flex flex-col divide-y divide-line">
        {posts.data.items.map((post) => (
          <TakenBackRow key={post.id} post={post} />
        ))}
      </ul>
      <ShowMore of={posts.data} list={list} />
    </div>
  )
}

function TakenBackRow({ post: { id, beginning, takenBackAt, kind } }: { post: TakenBackPost }) {
  const line = firstLineOf(beginning)
  const row = useFocusBeside<HTMLLIElement>()
  const restore = useRestore()
  const deletion = useDeleteForGood()
  const confirm = useConfirm()
  const toast = useToast()
  const remove = async () => {
    const text = `Delete “${line}” for good? Its earlier versions are deleted with it.`
    if (!(await confirm({ text, verb: 'Delete', danger: true }))) return
    await deletion.attempt({ params: { id } }, (error) =>
      toast({
        title: sentenceOf(error, 'The post could not be deleted. Please try again.'),
        tone: 'destructive',
      }),
    )
  }
  return (
    <li ref={row} className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p dir="auto" className="font-serif text-lg wrap-anywhere">
          {line}
        </p>
        <p className="text-xs text-ink-soft">
          {kindWords[kind]} <OwnTime at={takenBackAt} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" onClick={() => void restore(id)}>
          Restore<span className="sr-only"> {line}</span>
        </Button>
        <Button variant="quiet" onClick={() => void remove()}>
          Delete for good<span className="sr-only"> {line}</span>
        </Button>
      </div>
    </li>
  )
}
