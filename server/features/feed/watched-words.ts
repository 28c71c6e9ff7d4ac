import { setImmediate } from 'node:timers/promises'
import type { Post } from '#contract/feed/post.ts'
import { type FindWatched, namedWordsMax, readWatchedWords } from '#contract/instance/watched-words.ts'
import { type Instance, memoizeLast } from '#server/features/instance/index.ts'

type Written = Pick<Post, 'content' | 'authorName'> & { tags?: string[] | undefined }

const finderOf = memoizeLast(readWatchedWords)

/** The watched words in the text, the author name and the tags of a post, at most `max`. Other requests run meanwhile (S51). */
export async function watchedWordsIn(
  { content, authorName, tags = [] }: Written,
  instance: Pick<Instance, 'settings'>,
  max = namedWordsMax,
): Promise<string[]> {
  const find = finderOf(instance.settings().watchedWords)
  const found = new Set<string>()
  for (const text of [content, authorName, ...tags])
    for (const line of await inTurns(find(text, max))) found.add(line)
  return [...found].slice(0, max)
}

export const hasWatchedWord = async (post: Written, instance: Pick<Instance, 'settings'>): Promise<boolean> =>
  (await watchedWordsIn(post, instance, 1)).length > 0

async function inTurns(steps: ReturnType<FindWatched>): Promise<string[]> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}
