import type { QueryClient } from '@tanstack/react-query'
import { addBookmark, listBookmarkIds, listBookmarks, removeBookmark } from '#contract/bookmarks/endpoints.ts'
import { answersOf, queryKeyOf } from '#web/lib/api.ts'
import { cached } from '#web/lib/cached.ts'
import { send } from '#web/lib/request.ts'
import { retryChange } from '#web/lib/use-action.ts'

/** The bookmarks in the query cache of a page, in sync with the other tabs of this browser and with other devices. */
class Bookmarks {
  readonly #client: QueryClient
  readonly #otherTabs = new BroadcastChannel('bookmarks')
  /** One change follows the other: two changes of one post reach the server in their order. */
  #lastChange: Promise<unknown> = Promise.resolve()
  #unfinished = 0

  constructor(client: QueryClient) {
    this.#client = client
    this.#otherTabs.onmessage = () => this.#readAgain()
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#readAgain()
    })
  }

  /** Keeps a post, or removes it. The page shows the change at once, and without it again when it fails. */
  async change(postId: string, isKept: boolean): Promise<void> {
    this.#unfinished++
    // The answer of a read that has begun before would undo the change on the page.
    await this.#client.cancelQueries(answersOf([listBookmarkIds]))
    this.#show(postId, isKept)
    const endpoint = isKept ? addBookmark : removeBookmark
    const change = this.#lastChange.then(() => retryChange(() => send(endpoint, { params: { postId } })))
    this.#lastChange = change.catch(() => {})
    try {
      await change
      this.#otherTabs.postMessage('changed')
    } catch (error) {
      this.#show(postId, !isKept)
      throw error
    } finally {
      this.#unfinished--
      this.#readAgain()
    }
  }

  #show(postId: string, isKept: boolean) {
    this.#client.setQueryData<string[]>(queryKeyOf(listBookmarkIds), (ids) => {
      const others = ids?.filter((id) => id !== postId)
      return isKept && others ? [postId, ...others] : others
    })
  }

  /** Not while a change is on its way: the answer could be from before it. */
  #readAgain() {
    if (this.#unfinished === 0)
      void this.#client.invalidateQueries(answersOf([listBookmarks, listBookmarkIds]))
  }
}

const ofClients = new WeakMap<QueryClient, Bookmarks>()

export const bookmarksOf = (client: QueryClient): Bookmarks =>
  cached(ofClients, client, () => new Bookmarks(client))
