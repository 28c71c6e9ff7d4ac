import { useState } from 'react'
import { bulkMax } from '#contract/feed/review/endpoints.ts'
import { codeOf, sentenceOf } from '#web/lib/api.ts'
import { useToast } from '#web/ui/toasts.tsx'

export interface BatchReport {
  changed: number
  /** Why the work ended early, as a sentence; null when it is done. */
  failure: string | null
}

/** Posts for which the same call is sent. */
interface Batch {
  ids: readonly string[]
  /** Sends one call with some of the ids. Returns the ids of the posts that changed. */
  send: (postIds: string[]) => Promise<string[]>
}

/** The selected posts of a list, by keys, and a function that sends a call for all of them. */
export function useBatches() {
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set())
  const [progress, setProgress] = useState<{ done: number; all: number } | null>(null)
  const toast = useToast()

  const select = (key: string, isSelected: boolean) => {
    const next = new Set(selectedKeys)
    if (isSelected) next.add(key)
    else next.delete(key)
    setSelectedKeys(next)
  }

  /**
   * Sends the ids in calls of 200, one after the other, and counts what changed. When all succeed, no post is selected any more, and
   * a toast says how many posts are now as `changedTo` says, such as 'approved'. The first failure ends the run: the selection stays,
   * and so does what earlier calls have changed. `failed` is the sentence for a failure that has none of its own.
   */
  const run = async (batches: readonly Batch[], changedTo: string, failed: string): Promise<BatchReport> => {
    const all = batches.reduce((sum, { ids }) => sum + ids.length, 0)
    let done = 0
    let changed = 0
    let failure: string | null = null
    try {
      for (const { ids, send } of batches)
        for (let start = 0; start < ids.length; start += bulkMax) {
          setProgress({ done, all })
          const postIds = ids.slice(start, start + bulkMax)
          changed += (await send(postIds)).length
          done += postIds.length
        }
    } catch (error) {
      failure = decidedSentence(error) ?? failureOf(error, failed)
    }
    setProgress(null)
    if (failure === null) {
      setSelectedKeys(new Set())
      toast({ title: `${countOfPosts(changed)} ${changedTo}` })
    }
    return { changed, failure }
  }
  return { selectedKeys, setSelectedKeys, select, run, progress }
}

/** The sentence of the server when a post was decided before; null for any other failure. */
export const decidedSentence = (error: unknown): string | null =>
  codeOf(error) === 'PostDecided' ? sentenceOf(error, '') : null

/** The sentence for a decision that failed, but not because it was made before. `failed` is the sentence unless the session has ended. */
export const failureOf = (error: unknown, failed: string): string =>
  codeOf(error) === 'SignInRequired'
    ? 'Your session has ended. Load the page again and sign in. A typed reason is kept.'
    : failed

export const countOfPosts = (count: number) => (count === 1 ? '1 post' : `${count} posts`)
