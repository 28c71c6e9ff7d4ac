import type { MarkedText } from '#contract/search/endpoints.ts'
import type { DayText } from '../day-texts.ts'
import { yearOf } from '../earlier-years.ts'
import { snippetOf } from './snippet.ts'
import { needlesOf, type WordLine, wordLineOf } from './word-line.ts'

/** The query of a person, and how many texts the result lists. */
export interface SearchRequest {
  query: string
  limit: number
}

export interface FoundText extends Pick<DayText, 'kind' | 'day'> {
  snippet: MarkedText
}

export interface SearchResult extends SearchRequest {
  /** How many texts match, by year, the newest first. */
  years: { year: string; count: number }[]
  /** The newest texts that match. */
  found: FoundText[]
}

/** What the page sends to the worker, and what the worker answers. */
export type ToWorker = { find: SearchRequest } | { put: readonly DayText[]; removed: readonly string[] }
export type FromWorker = { result: SearchResult } | { indexed: number }

export const keyOf = ({ kind, day }: Pick<DayText, 'kind' | 'day'>): string => `${day} ${kind}`

interface IndexedText extends WordLine {
  text: DayText
}

/**
 * The texts of one person in memory, each with the line of its words. A query looks through all lines: that takes some
 * milliseconds for years of days, and a changed text is one new line. An inverted index would take ten times as long to
 * build.
 */
export class DayIndex {
  readonly #texts = new Map<string, IndexedText>()
  #newestFirst: IndexedText[] | undefined

  take(message: ToWorker): FromWorker {
    if ('find' in message) return { result: this.#find(message.find) }
    for (const key of message.removed) this.#texts.delete(key)
    for (const text of message.put) this.#texts.set(keyOf(text), { text, ...wordLineOf(text.content) })
    this.#newestFirst = undefined
    return { indexed: this.#texts.size }
  }

  #find({ query, limit }: SearchRequest): SearchResult {
    const needles = needlesOf(query)
    const years = new Map<string, number>()
    const found: FoundText[] = []
    if (needles.length > 0)
      for (const indexed of this.#sorted()) {
        if (!needles.every((needle) => indexed.folded.includes(needle))) continue
        const { kind, day, content } = indexed.text
        years.set(yearOf(day), (years.get(yearOf(day)) ?? 0) + 1)
        if (found.length < limit) found.push({ kind, day, snippet: snippetOf(content, indexed, needles) })
      }
    return { query, limit, found, years: Array.from(years, ([year, count]) => ({ year, count })) }
  }

  #sorted(): IndexedText[] {
    return (this.#newestFirst ??= [...this.#texts.values()].toSorted(({ text: one }, { text: other }) =>
      one.day === other.day ? (one.kind < other.kind ? -1 : 1) : one.day < other.day ? 1 : -1,
    ))
  }
}
