import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { answersOf, queryKeyOf, useEndpoint } from './api.ts'
import { cached } from './cached.ts'
import { readAgain } from './read-again.ts'
import { retryChange } from './use-action.ts'

/** Ids that the server stores for a person, such as those of the bookmarks. */
export interface StoredIds {
  /** Answers all ids. */
  list: Endpoint & { output: z.ZodMiniType<string[]> }
  add: (id: string) => Promise<unknown>
  remove: (id: string) => Promise<unknown>
  /** Endpoints whose answers depend on the ids. */
  alsoRefreshes: readonly Endpoint[]
  /** Lists that keep their rows after a change on this page. They are read again after a change elsewhere. */
  keepsRowsOf?: readonly Endpoint[]
  /** The BroadcastChannel by which the tabs of this browser announce changes. */
  channel: string
}

/** Such ids in the query cache of a page, in sync with the other tabs of this browser and with other devices. */
class IdSet {
  readonly #client: QueryClient
  readonly #stored: StoredIds
  readonly #otherTabs: BroadcastChannel
  /** One change follows the other: two changes of one id reach the server in their order. */
  #lastChange: Promise<unknown> = Promise.resolve()
  #unfinished = 0

  constructor(client: QueryClient, stored: StoredIds) {
    this.#client = client
    this.#stored = stored
    this.#otherTabs = new BroadcastChannel(stored.channel)
    this.#otherTabs.onmessage = () => this.#readAgain()
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#readAgain()
    })
  }

  /** Undefined until the ids are known. A change that is under way counts. */
  has(id: string): boolean | undefined {
    return this.#client.getQueryData<string[]>(queryKeyOf(this.#stored.list))?.includes(id)
  }

  /** Adds an id or removes it. The page shows the change at once, and takes it back when it fails. */
  async change(id: string, isAdded: boolean): Promise<void> {
    const { list, add, remove, keepsRowsOf = [] } = this.#stored
    this.#unfinished++
    // The answer of a read that has begun before would undo the change on the page.
    void this.#client.cancelQueries(answersOf([list]))
    this.#show(id, isAdded)
    const change = this.#lastChange.then(() => retryChange(() => (isAdded ? add : remove)(id)))
    this.#lastChange = change.catch(() => {})
    try {
      await change
      this.#otherTabs.postMessage('changed')
    } catch (error) {
      this.#show(id, !isAdded)
      throw error
    } finally {
      this.#unfinished--
      void this.#client.invalidateQueries({ ...answersOf(keepsRowsOf), refetchType: 'none' })
      this.#readAgain([])
    }
  }

  #show(id: string, isAdded: boolean) {
    this.#client.setQueryData<string[]>(queryKeyOf(this.#stored.list), (ids) => {
      const others = ids?.filter((other) => other !== id)
      return isAdded && others ? [id, ...others] : others
    })
  }

  /** Not while a change is under way: the answer could be from before it. */
  #readAgain(alsoRows = this.#stored.keepsRowsOf ?? []) {
    const { list, alsoRefreshes } = this.#stored
    if (this.#unfinished === 0) void readAgain(this.#client, answersOf([list, ...alsoRefreshes, ...alsoRows]))
  }
}

const setsOfClients = new WeakMap<QueryClient, Map<string, IdSet>>()

const idSetOf = (client: QueryClient, stored: StoredIds): IdSet =>
  cached(
    cached(setsOfClients, client, () => new Map<string, IdSet>()),
    stored.channel,
    () => new IdSet(client, stored),
  )

/** The ids of the page, which stay in sync while a component uses them. */
export function useIdSet(stored: StoredIds): Pick<IdSet, 'has' | 'change'> {
  const client = useQueryClient()
  useEffect(() => void idSetOf(client, stored), [client, stored])
  return {
    has: (id) => idSetOf(client, stored).has(id),
    change: (id, isAdded) => idSetOf(client, stored).change(id, isAdded),
  }
}

export function useIds(stored: StoredIds, reading?: { enabled: boolean }) {
  useIdSet(stored)
  return useEndpoint(stored.list, reading)
}
