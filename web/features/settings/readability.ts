import { wordsOf } from '#contract/text-words.ts'

export interface Readability {
  index: number
  label: ReadabilityLabel
  sentences: number
  words: number
  complexWords: number
  parts: Sentence[]
}

interface Sentence {
  /** The start of the sentence: it is `text.slice(start, end)`. */
  start: number
  end: number
  words: number
  complexWords: number
  /** The share of the sentence in the index. The weights of all sentences add up to the index. */
  weight: number
}

type ReadabilityLabel = 'very easy' | 'easy' | 'fairly difficult' | 'difficult to read'

/** The fog index of a text by Gunning; null for a text without words. */
export function readability(text: string): Readability | null {
  const sentences = sentencesOf(text)
  if (sentences.length === 0) return null
  const total = {
    sentences: sentences.length,
    words: sumOf(sentences, 'words'),
    complexWords: sumOf(sentences, 'complexWords'),
  }
  const weightOf = ({ words, complexWords }: Pick<Bare, 'words' | 'complexWords'>) =>
    0.4 * (words / total.sentences + (100 * complexWords) / total.words)
  const index = weightOf(total)
  return {
    ...total,
    index,
    label: readabilityLabel(index),
    parts: sentences.map((sentence) => ({ ...sentence, weight: weightOf(sentence) })),
  }
}

/** The sentences that weigh most, the heaviest first. */
export const heaviestSentences = ({ parts }: Readability, max: number): Sentence[] =>
  parts.toSorted((one, other) => other.weight - one.weight).slice(0, max)

export function readabilityLabel(index: number): ReadabilityLabel {
  if (index < 8) return 'very easy'
  if (index < 12) return 'easy'
  return index < 16 ? 'fairly difficult' : 'difficult to read'
}

/** Groups of vowels, accents or not. */
export const countSyllables = (word: string): number =>
  withoutMarks(withoutMarks(word).normalize('NFD')).match(/[aeiouyæœø]+/gi)?.length ?? 0

// Marks are removed before the text is normalised: many marks in a row would take quadratic time.
const withoutMarks = (text: string) => text.replace(/\p{M}/gu, '')

const complexFrom = 3

type Bare = Omit<Sentence, 'weight'>

// A point within a number ends no sentence; quotes and brackets that close after the end belong to the sentence.
const upToEnd = /(?:[^.!?]|(?<=\p{Nd})\.(?=\p{Nd}))*(?:[.!?]+["'’”»)\]]*|$)/gu

function sentencesOf(text: string): Bare[] {
  return Array.from(text.matchAll(upToEnd)).flatMap(({ 0: part, index }) => {
    const words = wordsOf(part)
    if (words.length === 0) return []
    return {
      start: index + part.length - part.trimStart().length,
      end: index + part.trimEnd().length,
      words: words.length,
      complexWords: words.filter((word) => countSyllables(word) >= complexFrom).length,
    }
  })
}

const sumOf = (sentences: Bare[], count: 'words' | 'complexWords') =>
  sentences.reduce((total, sentence) => total + sentence[count], 0)
