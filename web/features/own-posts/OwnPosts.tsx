import { useRef } from 'react'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { usePages } from '#web/lib/pages.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'
import { OwnPostRow } from './OwnPostRow.tsx'

const emptyTexts = {
  review: 'None of your posts waits for review.',
  published: 'You have not published a post yet.',
}

/** The own posts that wait for review, or those that are published. */
export function OwnPosts({ list: name }: { list: 'review' | 'published' }) {
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
          <OwnPostRow key={post.id} post={post}>
            , <Words count={post.wordCount} />
          </OwnPostRow>
        ))}
      </ul>
      <ShowMore of={posts.data} list={list} />
    </div>
  )
}

export const Words = ({ count }: { count: number }) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'word' : 'words'}`
