import { useDeferredValue, useEffect, useState } from 'react'
import { authorsOf } from '#contract/feed/authors.ts'
import { foldPosts, searchLoaded, type SearchResult } from './search.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import type { FeedRoom } from '#contract/rooms/room.ts'
import { allCreators } from '#web/features/creators/index.ts'
import { useDetails, useLoadedPosts } from '#web/features/details/index.ts'
import { useMarks } from '#web/features/follows/index.ts'
import { useHas } from '#web/lib/app-config.tsx'

/** How long the page may fold posts without a pause for keys and touches. */
const foldForMs = 20

/** The results among the things that the page has loaded, and `show`, which opens the detail dialog of a result. */
export function useSearch(query: string, rooms: readonly FeedRoom[]) {
  const posts = useLoadedPosts()
  const { followed } = useMarks()
  const creators = useHas('samples') ? allCreators : []
  const details = useDetails()
  const foldedPosts = useFoldedPosts(query === '' ? none : posts)
  const authors = authorsOf(posts, followed)
  // Typing does not wait for a search through many long posts.
  const sought = useDeferredValue(query)
  const results = searchLoaded(sought, { posts: foldedPosts, authors, creators, rooms })

  const show = ({ type, id }: SearchResult) => {
    const isIt = (thing: { id: string }) => thing.id === id
    const shows = {
      post: () => apply(posts.find(isIt), details.showPost),
      author: () => apply(authors.find(isIt), details.showAuthor),
      creator: () => apply(creators.find(isIt), details.showCreator),
      room: () => apply(rooms.find(isIt), details.showRoom),
    }
    shows[type]()
  }
  return { results, show, isDone: sought === query && foldedPosts === posts }
}

const none: readonly PublicPost[] = []

/** The posts once all of them are folded, and until then those of before. */
function useFoldedPosts(posts: readonly PublicPost[]) {
  const [foldedPosts, setFoldedPosts] = useState(none)
  useEffect(() => {
    const step = () => {
      if (foldPosts(posts, foldForMs)) setFoldedPosts(posts)
      else timer = setTimeout(step)
    }
    let timer = setTimeout(step)
    return () => clearTimeout(timer)
  }, [posts])
  return foldedPosts
}

function apply<T>(thing: T | undefined, show: (thing: T) => void) {
  if (thing) show(thing)
}
