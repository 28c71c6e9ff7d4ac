import { useRef } from 'react'
import { Link } from 'wouter'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import {
  deleteTakenBackPost,
  listTakenBackPosts,
  restorePost,
  takeBackPost,
  type TakenBackPost,
} from '#contract/feed/own/endpoints.ts'
import { takenBackDays } from '#contract/feed/post.ts'
import { listOwnPosts, type OwnPost } from '#contract/feed/review/endpoints.ts'
import { changePath, PostState } from '#web/features/posts/index.ts'
import { useAction } from '#web/lib/api.ts'
import { usePages } from '#web/lib/pages.ts'
import { Time } from '#web/lib/Time.tsx'
import { useConfirm } from '#web/ui/alerts.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { firstLineOf } from './first-line.ts'

const emptyTexts = {
  review: 'None of your posts waits for review.',
  published: 'You have not published a post yet.',
}

/** The own posts that wait for review, or those that are published. */
export function OwnPosts({ list: name, canChange }: { list: 'review' | 'published'; canChange: boolean }) {
  const posts = usePages(listOwnPosts, { limit: '50' })
  const list = useRef<HTMLUListElement>(null)
  if (posts.status !== 'ready') return <ListNotReady of={posts} what="Your posts" count={3} each="h-16" />
  const { items, readMore } = posts.data
  const shown = items.filter(({ status }) => (status === 'pending') === (name === 'review'))
  if (shown.length === 0 && readMore === null) return <EmptyState text={emptyTexts[name]} />
  return (
    <div className="flex flex-col gap-4">
      <Outdated of={posts} what="Your posts" />
      <ul ref={list} aria-label="Your posts" className="flex flex-col divide-y divide-line empty:hidden">
        {shown.map((post) => (
          <OwnRow key={post.id} post={post} canChange={canChange} />
        ))}
      </ul>
      <ShowMore of={posts.data} list={list} />
    </div>
  )
}

function OwnRow({ post, canChange }: { post: OwnPost; canChange: boolean }) {
  const { id, beginning, wordCount, createdAt, publishedAt, isVisible, reason, hasWaitingVersion } = post
  const line = firstLineOf(beginning)
  const takeBack = useTakingBack()
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex items-start justify-between gap-3">
        <p dir="auto" className="min-w-0 font-serif text-lg wrap-anywhere">
          {publishedAt !== null && isVisible ? (
            <Link href={`/posts/${id}`} className="touch hover:underline">
              {line}
            </Link>
          ) : (
            line
          )}
        </p>
        <PostState post={post} />
      </div>
      <p className="text-xs text-ink-soft">
        <Words count={wordCount} />, {publishedAt === null ? 'sent' : 'published'}{' '}
        <Time at={publishedAt ?? createdAt} />
        {hasWaitingVersion && '. A new version waits for review.'}
      </p>
      {reason !== null && (
        <p dir="auto" className="border-s-2 border-edge ps-3 text-sm whitespace-pre-wrap wrap-anywhere">
          {reason}
        </p>
      )}
      {canChange && (
        <div className="flex flex-wrap gap-2">
          <Link href={changePath(id)} aria-label={`Edit ${line}`} className={buttonClass('quiet')}>
            Edit
          </Link>
          <Button variant="quiet" aria-label={`Take back ${line}`} onClick={() => void takeBack(id)}>
            Take back
          </Button>
        </div>
      )}
    </li>
  )
}

export const Words = ({ count }: { count: number }) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'word' : 'words'}`

const refreshes = [listOwnPosts, listTakenBackPosts, getFeedDay]

/** Takes a post back at once. The toast restores it. */
function useTakingBack() {
  const toast = useToast()
  const taking = useAction(takeBackPost, { refreshes })
  const restoring = useRestoring()
  return async (id: string) => {
    const failed = () =>
      toast({
        title: 'Error',
        description: 'The post could not be taken back. Please try again.',
        tone: 'destructive',
      })
    const sent = { params: { id }, query: { kind: 'unpublished' as const } }
    if ((await taking.attempt(sent, failed)) === undefined) return
    toast({
      title: 'Taken back',
      description: `Nobody can read this post any more. It is kept for ${takenBackDays} days.`,
      action: { label: 'Undo', onPress: () => void restoring(id) },
    })
  }
}

function useRestoring() {
  const toast = useToast()
  const restoring = useAction(restorePost, { refreshes })
  return async (id: string) => {
    const failed = () =>
      toast({
        title: 'Error',
        description: 'The post could not be restored. Please try again.',
        tone: 'destructive',
      })
    if ((await restoring.attempt({ params: { id } }, failed)) !== undefined) toast({ title: 'Restored' })
  }
}

/** The posts that the author took back. They are kept for some days. */
export function TakenBack() {
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
      <ul ref={list} aria-label="Posts that you took back" className="flex flex-col divide-y divide-line">
        {posts.data.items.map((post) => (
          <TakenBackRow key={post.id} post={post} />
        ))}
      </ul>
      <ShowMore of={posts.data} list={list} />
    </div>
  )
}

function TakenBackRow({ post: { id, beginning, takenBackAt } }: { post: TakenBackPost }) {
  const line = firstLineOf(beginning)
  const restore = useRestoring()
  const confirm = useConfirm()
  const toast = useToast()
  const deletion = useAction(deleteTakenBackPost, { refreshes: [listTakenBackPosts] })
  const remove = async () => {
    const text = `Delete “${line}” for good? Its earlier versions are deleted with it.`
    if (!(await confirm({ text, verb: 'Delete', danger: true }))) return
    const description = 'The post could not be deleted. Please try again.'
    await deletion.attempt({ params: { id } }, () =>
      toast({ title: 'Error', description, tone: 'destructive' }),
    )
  }
  return (
    <li className="flex flex-col gap-2 py-3">
      <p dir="auto" className="min-w-0 font-serif text-lg wrap-anywhere">
        {line}
      </p>
      <p className="text-xs text-ink-soft">
        Taken back <Time at={takenBackAt} />
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" aria-label={`Restore ${line}`} onClick={() => void restore(id)}>
          Restore
        </Button>
        <Button variant="quiet" aria-label={`Delete ${line} for good`} onClick={() => void remove()}>
          Delete for good
        </Button>
      </div>
    </li>
  )
}
