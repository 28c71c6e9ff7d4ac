import { authorOf, type RoomPassage } from '#contract/rooms/room.ts'
import { wordsOf } from '#contract/text-words.ts'

export interface Contributor {
  /** Null for all deleted accounts together. */
  userId: string | null
  name: string
  words: number
  /** The share of the words of the story, in whole percent. The shares of all contributors add up to 100. */
  share: number
}

type Passage = Pick<RoomPassage, 'userId' | 'authorName' | 'content' | 'isErased'>
type CountedPassage = Omit<Passage, 'content'> & { words: number }

/** The authors of a story and their shares: the greatest share first, among equal ones the earlier author first. */
export const contributorsOf = (passages: readonly Passage[]): Contributor[] =>
  contributorsByWords(passages.map(counted))

export const counted = ({ userId, authorName, isErased, content }: Passage): CountedPassage => ({
  userId,
  authorName,
  isErased,
  words: wordsOf(content).length,
})

/** Erased passages do not count. */
export function contributorsByWords(passages: readonly CountedPassage[]): Contributor[] {
  const left = passages.filter(({ isErased }) => !isErased)
  const byAuthor = Map.groupBy(left, ({ userId }) => userId)
  const authors = Array.from(byAuthor, ([userId, own]) => ({
    userId,
    name: authorOf(own[0]!),
    words: own.reduce((sum, { words }) => sum + words, 0),
    passages: own.length,
  }))
  // A story may have no words, only emoji. Then passages are counted.
  const part = authors.some(({ words }) => words > 0) ? 'words' : 'passages'
  authors.sort((one, other) => other[part] - one[part])
  const shares = sharesOf(authors.map((author) => author[part]))
  return authors.map(({ userId, name, words }, place) => ({ userId, name, words, share: shares[place]! }))
}

/** Whole percents that add up to 100: the rest after rounding down goes to the largest remainders. */
function sharesOf(parts: readonly number[]): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0)
  const shares = parts.map((part) => Math.floor((part * 100) / whole))
  const left = 100 - shares.reduce((sum, share) => sum + share, 0)
  const byRemainder = parts
    .map((part, place) => ({ place, remainder: (part * 100) % whole }))
    .sort((one, other) => other.remainder - one.remainder)
  for (const { place } of byRemainder.slice(0, left)) shares[place]!++
  return shares
}
