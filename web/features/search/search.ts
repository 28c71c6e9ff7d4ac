import type { Creator } from '#contract/creators/creator.ts'
import type { AuthorSummary } from '#contract/feed/authors.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import type { FeedRoom } from '#contract/rooms/room.ts'
import { cut, nfc } from '#contract/text.ts'
import { formOf } from '#contract/text-form.ts'
import { cached } from '#web/lib/cached.ts'

/** The things that the page has loaded so far. */
export interface LoadedThings {
  posts: readonly (Pick<PublicPost, 'id' | 'content' | 'authorName'> & Partial<Pick<PublicPost, 'form'>>)[]
  authors: readonly Pick<AuthorSummary, 'id' | 'name' | 'genre'>[]
  creators: readonly Pick<Creator, 'id' | 'name' | 'artistName' | 'description' | 'tags' | 'keywords'>[]
  rooms: readonly Pick<FeedRoom, 'id' | 'name' | 'description'>[]
}

export interface SearchResult {
  type: 'author' | 'creator' | 'room' | 'post'
  id: string
  title: string
  /** A part of the text on one line, with the match if it is in the text. */
  snippet: string
}

const snippetLength = 100
/** How much of a snippet may stand before its match. */
const leadLength = 30
const resultsPerType = 5

/**
 * The things with the query in their texts or names, in any case. Names that begin with the query come first, then names
 * that hold it, then all others. Within each of these groups people come before rooms and posts.
 */
export function searchLoaded(
  query: string,
  { posts, authors, creators, rooms }: LoadedThings,
): SearchResult[] {
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
    matches('post', posts, sought, searchedOfPost),
  ]
    .flat()
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ result }) => result)
}

/** A text in three parts, the middle one being the first match of the query; undefined without a match. */
export function splitAtMatch(
  text: string,
  query: string,
): [before: string, match: string, after: string] | undefined {
  const match = matchIn(piecesOf(text), folded(query.trim()))
  return match && [text.slice(0, match.from), text.slice(match.from, match.to), text.slice(match.to)]
}

interface Searched {
  /** Of a post, which is called by its title and its author. Other things are called by their first name. */
  author?: string
  names: string[]
  text: string
  /** The form that the author chose. */
  form?: PublicPost['form'] | undefined
  also?: string[]
}

const searchedOfPost = ({ authorName, content, form }: LoadedThings['posts'][number]): Searched => ({
  author: authorName,
  names: [],
  text: content,
  form,
})

function matches<T extends { id: string }>(
  type: SearchResult['type'],
  things: readonly T[],
  sought: string,
  searched: (thing: T) => Searched,
): { rank: number; result: SearchResult }[] {
  return things
    .flatMap((thing) => {
      const rank = rankOf(sought, foldedOf(thing, searched))
      return rank === undefined ? [] : [{ rank, thing }]
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, resultsPerType)
    .map(({ rank, thing }) => {
      const { title, pieces } = shownOf(thing, searched)
      return { rank, result: { type, id: thing.id, title, snippet: snippetOf(pieces, sought) } }
    })
}

// Folding long texts takes seconds, so each thing is folded once and not at every key. The caches forget a thing with
// its object.
const foldedThings = new WeakMap<object, Folded>()
const shownThings = new WeakMap<object, Shown>()

interface Folded {
  names: string[]
  texts: string[]
}

const foldedOf = <T extends object>(thing: T, searched: (thing: T) => Searched) =>
  cached(foldedThings, thing, (): Folded => {
    const { names, text, also = [] } = searched(thing)
    return { names: names.map(folded), texts: [text, ...also].map(folded) }
  })

/** Folds posts for some milliseconds, at least one. Returns false when the time is up; the next call goes on. */
export function foldPosts(posts: LoadedThings['posts'], forMs: number): boolean {
  const until = performance.now() + forMs
  for (const post of posts) {
    if (foldedThings.has(post)) continue
    foldedOf(post, searchedOfPost)
    if (performance.now() >= until) return false
  }
  return true
}

interface Shown {
  title: string
  /** Of the text on one line. */
  pieces: Pieces
}

const shownOf = <T extends object>(thing: T, searched: (thing: T) => Searched) =>
  cached(shownThings, thing, (): Shown => {
    const { author, names, text, form } = searched(thing)
    if (author === undefined) return { title: names[0] ?? '', pieces: piecesOf(onOneLine(text, ' ')) }
    const { title, body, isVerse } = formOf(text, form)
    return {
      title: title === null ? author : `${title} · ${author}`,
      // A stroke parts the lines of verse.
      pieces: piecesOf(onOneLine(body, isVerse ? ' / ' : ' ')),
    }
  })

const onOneLine = (written: string, separator: string) =>
  written
    .split('\n')
    .flatMap((line) => line.trim() || [])
    .join(separator)

/** A text on one line, cut so that the match is in it. */
function snippetOf(pieces: Pieces, sought: string): string {
  const { text } = pieces
  const { from, to } = matchIn(pieces, sought) ?? { from: 0, to: 0 }
  if (to <= snippetLength) return cut(text, snippetLength)
  const word = text.indexOf(' ', from - leadLength) + 1
  return `…${cut(text.slice(word > 0 && word < from ? word : from), snippetLength)}`
}

/** A text in which a folded query can be found. A piece is one letter or many. */
interface Pieces {
  text: string
  /** The pieces that are not folded yet. */
  rest: Iterator<RegExpExecArray, undefined>
  folded: string
  /** Where each folded piece begins in the text, and in `folded`: a letter can be longer when it is folded. */
  starts: number[]
  foldedStarts: number[]
  /** Where the last folded piece ends in the text. */
  end: number
}

// Pieces begin where a letter begins: a mark or a part of a Hangul syllable joins the letter before it.
const oneLetter = /.[\p{M}\u1160-\u11ff]*/gsu
const manyLetters = /(?:.[\p{M}\u1160-\u11ff]*){1,256}/gsu

const piecesOf = (text: string, piece = manyLetters): Pieces => ({
  text,
  rest: text.matchAll(piece),
  folded: '',
  starts: [],
  foldedStarts: [],
  end: 0,
})

interface Span {
  from: number
  to: number
}

/** The letters of the first match. Only the pieces around it are folded letter by letter, because that is slow. */
function matchIn(pieces: Pieces, sought: string): Span | undefined {
  const around = piecesOfMatch(pieces, sought)
  if (around === undefined) return undefined
  const letters = piecesOf(pieces.text.slice(around.from, around.to), oneLetter)
  const match = piecesOfMatch(letters, sought)
  return match && { from: around.from + match.from, to: around.from + match.to }
}

function piecesOfMatch(pieces: Pieces, sought: string): Span | undefined {
  const at = foldUntil(pieces, sought)
  if (at === -1) return undefined
  const { starts, foldedStarts, end } = pieces
  const first = foldedStarts.findLastIndex((start) => start <= at)
  const next = foldedStarts.findIndex((start) => start >= at + sought.length)
  return { from: starts[first]!, to: next === -1 ? end : starts[next]! }
}

/** Folds the text no further than to the end of the first match. Returns where the match begins in the folded text. */
function foldUntil(pieces: Pieces, sought: string): number {
  if (sought === '') return -1
  let at = pieces.folded.indexOf(sought)
  while (at === -1) {
    const { value: piece } = pieces.rest.next()
    if (piece === undefined) break
    const before = pieces.folded.length
    pieces.starts.push(piece.index)
    pieces.foldedStarts.push(before)
    pieces.folded += folded(piece[0])
    pieces.end = piece.index + piece[0].length
    at = pieces.folded.indexOf(sought, Math.max(0, before - sought.length))
  }
  return at
}

function rankOf(sought: string, { names, texts }: Folded): number | undefined {
  if (names.some((name) => name.startsWith(sought))) return 0
  if (names.some((name) => name.includes(sought))) return 1
  if (texts.some((text) => text.includes(sought))) return 2
  return undefined
}

// Upper case joins more spellings than lower case does: 'ß' and 'SS', both forms of the Greek sigma.
const folded = (text: string) => nfc(text).toUpperCase()
