import type { Creator } from '#contract/creators/creator.ts'
import type { AuthorSummary } from '#contract/feed/authors.ts'
import type { Post } from '#contract/feed/post.ts'
import type { FeedRoom } from '#contract/rooms/room.ts'
import { cut, nfc } from '#contract/text.ts'

/** What the page has loaded so far. */
export interface Loaded {
  posts: readonly Pick<Post, 'id' | 'content' | 'authorName'>[]
  authors: readonly Pick<AuthorSummary, 'id' | 'name' | 'genre'>[]
  creators: readonly Pick<Creator, 'id' | 'name' | 'artistName' | 'description' | 'tags' | 'keywords'>[]
  rooms: readonly Pick<FeedRoom, 'id' | 'name' | 'description'>[]
}

export interface SearchResult {
  type: 'author' | 'creator' | 'room' | 'post'
  id: string
  title: string
  snippet: string
}

const snippetLength = 100
const resultsPerType = 5

/**
 * What matches in its text or names, whatever the case: names that begin with the query first, then names
 * that hold it, then all else; within these people, rooms and posts, each in the order given.
 */
export function searchLoaded(query: string, { posts, authors, creators, rooms }: Loaded): SearchResult[] {
  const sought = folded(query.trim())
  if (sought === '') return []
  return [
    matches('author', authors, sought, (author) => ({ names: [author.name], text: author.genre })),
    matches('creator', creators, sought, (creator) => ({
      names: [creator.name, creator.artistName],
      text: creator.description,
      also: [...creator.tags, ...creator.keywords],
    })),
    matches('room', rooms, sought, (room) => ({ names: [room.name], text: room.description })),
    matches('post', posts, sought, (post) => ({ title: post.authorName, names: [], text: post.content })),
  ]
    .flat()
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ result }) => result)
}

interface Searched {
  /** What the result is called: its first name unless said otherwise. */
  title?: string
  names: string[]
  text: string
  also?: string[]
}

function matches<T extends { id: string }>(
  type: SearchResult['type'],
  things: readonly T[],
  sought: string,
  searched: (thing: T) => Searched,
): { rank: number; result: SearchResult }[] {
  return things
    .flatMap((thing) => {
      const { names, text, also = [], title = names[0] ?? '' } = searched(thing)
      const rank = rankOf(sought, names, [text, ...also])
      return rank === undefined
        ? []
        : [{ rank, result: { type, id: thing.id, title, snippet: cut(text, snippetLength) } }]
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, resultsPerType)
}

function rankOf(sought: string, names: string[], texts: string[]): number | undefined {
  const foldedNames = names.map(folded)
  if (foldedNames.some((name) => name.startsWith(sought))) return 0
  if (foldedNames.some((name) => name.includes(sought))) return 1
  if (texts.some((text) => folded(text).includes(sought))) return 2
  return undefined
}

// Upper case joins more spellings than lower case does: 'ß' and 'SS', both forms of the Greek sigma.
const folded = (text: string) => nfc(text).toUpperCase()
