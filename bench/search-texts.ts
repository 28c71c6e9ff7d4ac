import { parentPort } from 'node:worker_threads'
import { vectorOfPost } from '#server/features/feed/words.ts'
import { systemClock } from '#server/platform/clock.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'
import { trigramsOf } from '#server/platform/search/trigrams.ts'

// Texts with the frequencies of a language. As a worker thread, this file makes posts with their words and trigrams.

const syllables = 'ba ce do fi gu ha je ko li mu na pe ro si tu va we xi yo za'.split(' ')
const spokenWords = 40_000
const letters = 2500

/** The n-th most frequent word of the texts, and the n-th most frequent letter of the texts without spaces. */
export const word = (n: number): string => {
  const [most, least] = [Math.floor(n / 20), n % 20]
  return (most === 0 ? '' : word(most - 1)) + syllables[least]!
}
export const letter = (n: number): string => String.fromCodePoint(0x4e00 + 3 * n)
/** A number below `max`; the n-th is drawn in proportion to 1 / n, as words of a language are. */
const drawn = (max: number) => Math.floor(max ** Math.random()) - 1
export const repeated = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

export function text(isWithoutSpaces: boolean): string {
  if (isWithoutSpaces)
    return repeated(12, () => repeated(14, () => letter(drawn(letters))).join('')).join('。\n')
  return repeated(4 + drawn(24), () => repeated(9, () => word(drawn(spokenWords))).join(' ')).join('\n')
}

export const authorName = 'Ana Lima'

/** Columns of posts that were published one after the other. */
export interface PostsWithWords {
  ids: string[]
  contents: string[]
  times: string[]
  words: string[]
  /** As Postgres writes an array. */
  trigrams: string[]
}

const minutesBetween = 2
const firstTime = Date.parse('2020-01-01T00:00:00Z')

async function makePosts({ from, count }: { from: number; count: number }): Promise<PostsWithWords> {
  const contents = Array.from({ length: count }, (_, n) => text(n % 10 === 0))
  const times = contents.map((_, n) =>
    new Date(firstTime + (from + n) * minutesBetween * 60_000).toISOString(),
  )
  const words: string[] = []
  for (const [n, content] of contents.entries())
    words.push(
      await vectorOfPost({ id: '', content, publishedAt: times[n]!, category: null, form: null, tags: [] }),
    )
  const trigrams = contents.map((content) => `{${trigramsOf(`${content}\n${authorName}`).join()}}`)
  // Ids begin with the time, as those of real posts do.
  const ids = times.map((at) =>
    newId({ clock: { ...systemClock, now: () => new Date(at) }, random: systemRandom }),
  )
  return { ids, contents, times, words, trigrams }
}

parentPort?.on('message', (order: Parameters<typeof makePosts>[0]) => {
  void makePosts(order).then((made) => parentPort!.postMessage(made))
})
