import { useDeferredValue } from 'react'
import { authorsOf } from '#contract/feed/authors.ts'
import { searchLoaded, type SearchResult } from '#contract/feed/search.ts'
import type { FeedRoom } from '#contract/rooms/room.ts'
import { allCreators } from '#web/features/creators/index.ts'
import { useDetails, useLoadedPosts, useMarks } from '#web/features/details/index.ts'

/** What the page holds that matches, and a way to show a result of it in its detail dialog. */
export function useSearch(query: string, rooms: readonly FeedRoom[]) {
  const posts = useLoadedPosts()
  const { followed } = useMarks()
  const details = useDetails()
  const authors = authorsOf(posts, followed)
  // Typing stays ahead of a search through many long posts.
  const sought = useDeferredValue(query)
  const results = searchLoaded(sought, { posts, authors, creators: allCreators, rooms })

  const show = ({ type, id }: SearchResult) => {
    const isIt = (thing: { id: string }) => thing.id === id
    const shows = {
      post: () => apply(posts.find(isIt), details.showPost),
      author: () => apply(authors.find(isIt), details.showAuthor),
      creator: () => apply(allCreators.find(isIt), details.showCreator),
      room: () => apply(rooms.find(isIt), details.showRoom),
    }
    shows[type]()
  }
  return { results, show, isDone: sought === query }
}

function apply<T>(thing: T | undefined, show: (thing: T) => void) {
  if (thing) show(thing)
}
