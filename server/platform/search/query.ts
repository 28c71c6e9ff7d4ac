import { quotes } from '#contract/search/query.ts'
import { type TextWord, wordsOf } from '#contract/search/words.ts'
import { beginningSign, shortBeginnings } from './words.ts'

/** Words that follow each other in a text. The last one may be a beginning. */
interface Term {
  words: { word: string; isUnit: boolean; isApart: boolean }[]
  isBeginning: boolean
}

export interface TextQuery {
  terms: Term[]
  /** For `tsquery`: all the words, in any order. An index answers it. */
  allWords: string
  /** For `tsquery`: the words of a phrase follow each other. */
  exact: string
  /** Whether `exact` asks for more than `allWords`. */
  hasPhrase: boolean
}

/** Reads what was typed: words, the beginning of a word at the end, and phrases in quotes. Undefined without a word. */
export function readTextQuery(typed: string): TextQuery | undefined {
  const terms = typed.split(quotes).flatMap((part, index, parts) => {
    // Every second part is in quotes. A quote that nobody has closed yet is one.
    const isPhrase = index % 2 === 1
    const isLast = index === parts.length - 1
    return isPhrase ? phraseOf(part) : termsOf(part, isLast)
  })
  if (terms.length === 0) return undefined
  const some = terms.slice(0, maxTerms)
  return {
    terms: some,
    allWords: some.map((term) => lexemesOf(term).join(' & ')).join(' & '),
    exact: some.map(exactOf).join(' & '),
    hasPhrase: some.some((term) => lexemesOf(term).length > 1),
  }
}

const maxTerms = 16

function phraseOf(text: string): Term[] {
  let end = 0
  const words = Array.from(wordsOf(text), ({ word, isUnit, from, to }, index) => {
    const isApart = index > 0 && from > end
    end = to
    return { word, isUnit, isApart }
  })
  return words.length === 0 ? [] : [{ words, isBeginning: false }]
}

/** Words in any order. Letters of a script without spaces that follow each other are one term. */
function termsOf(text: string, isLast: boolean): Term[] {
  const found: { term: Term; last: TextWord }[] = []
  for (const each of wordsOf(text)) {
    const { word, isUnit } = each
    const before = found.at(-1)
    if (isUnit && before?.last.to === each.from && before.term.words[0]!.isUnit) {
      before.term.words.push({ word, isUnit, isApart: false })
      before.last = each
    } else found.push({ term: { words: [{ word, isUnit, isApart: false }], isBeginning: false }, last: each })
  }
  const end = found.at(-1)
  if (isLast && end?.last.to === text.length) {
    const [first] = end.term.words
    end.term.isBeginning = !first!.isUnit && Array.from(first!.word).length >= shortBeginnings[0]!
  }
  return found.map(({ term }) => term)
}

/** The words of the index that a text with the term has, one after the other. */
function lexemesOf({ words, isBeginning }: Term): string[] {
  if (isBeginning) return [beginningLexeme(words[0]!.word)]
  // Pairs of letters are rarer than letters. In quotes there may be space between letters, which are no pair then.
  if (words.length > 1 && words.every(({ isUnit, isApart }) => isUnit && !isApart))
    return words.slice(1).map(({ word }, index) => quoted(words[index]!.word + word))
  return words.map(({ word }) => quoted(word))
}

function exactOf(term: Term): string {
  const lexemes = lexemesOf(term)
  if (lexemes.length === 1) return lexemes[0]!
  return `(${lexemes.join(' <-> ')})`
}

const beginningLexeme = (word: string) =>
  shortBeginnings.includes(Array.from(word).length) ? quoted(beginningSign + word) : `${quoted(word)}:*`

/** Words consist of letters, digits and marks, so no word can close its quotes. */
const quoted = (word: string) => `'${word}'`

export interface Span {
  from: number
  to: number
  /** The index of the term. */
  term: number
}

const spansMax = 8

/** Where the terms stand in a text, in order, at most `spansMax` of them, from the first match on. */
export function findTerms(text: string, { terms }: TextQuery): Span[] {
  const longest = Math.max(...terms.map(({ words }) => words.length))
  const recent: TextWord[] = []
  const spans: Span[] = []
  for (const found of wordsOf(text)) {
    recent.push(found)
    if (recent.length > longest) recent.shift()
    for (const [index, term] of terms.entries()) {
      const span = spanOf(term, recent)
      if (span === undefined || span.from < (spans.at(-1)?.to ?? 0)) continue
      spans.push({ ...span, term: index })
      break
    }
    if (spans.length >= spansMax) break
    // A line that shows the first match is short.
    if (spans.length > 0 && found.from > spans[0]!.from + 400) break
  }
  return spans
}

function spanOf({ words, isBeginning }: Term, recent: readonly TextWord[]): Omit<Span, 'term'> | undefined {
  const last = recent.slice(-words.length)
  if (last.length < words.length) return undefined
  const isMatch = words.every(({ word }, index) =>
    isBeginning ? last[index]!.word.startsWith(word) : last[index]!.word === word,
  )
  return isMatch ? { from: last[0]!.from, to: last.at(-1)!.to } : undefined
}
