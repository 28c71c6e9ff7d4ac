import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { isStoringStopped } from '#web/lib/storage.ts'
import { startWorker } from '#web/lib/workers.ts'
import type { DayText } from '../day-texts.ts'
import { type SearchResult, type FromWorker, keyOf, type SearchRequest, type ToWorker } from './day-index.ts'
import { setQuery } from './query.ts'

interface SearchState {
  /** Of the last request that the worker has answered. */
  result: SearchResult | undefined
  /** How many texts the worker has, of how many. */
  indexed: number
  total: number
  hasFailed: boolean
}

/** Finds texts of a person in a worker. `texts` are all of them; the worker is sent those that have changed. */
export function useDaySearch(owner: string, texts: readonly DayText[], { query, limit }: SearchRequest) {
  const search = searchOf(owner, useQueryClient())
  const state = useSyncExternalStore(search.watch, search.state)
  useEffect(() => search.update(texts), [search, texts])
  useEffect(() => search.find({ query, limit }), [search, query, limit])
  return { ...state, tryAgain: search.tryAgain }
}

let current: { owner: string; client: QueryClient; search: DaySearch } | undefined

/** The same search as long as the page has the days of this person. */
function searchOf(owner: string, client: QueryClient): DaySearch {
  if (current?.owner === owner && current.client === client) return current.search
  current?.search.stop()
  const search = new DaySearch()
  current = { owner, client, search }
  // The local copies of a person who has just left may not be gone yet.
  if (isStoringStopped(owner)) search.stop()
  else stopAtLogOut(search, client)
  return search
}

/** Ends the search when log-out removes the days of the account from the page, and when the page has another person or none. */
function stopAtLogOut(search: DaySearch, client: QueryClient) {
  const [diaryKey] = queryKeyOf(getDiary)
  const personNow = () => client.getQueryData<User | null>(queryKeyOf(getMe))?.id
  const person = personNow()
  const stopWatching = client.getQueryCache().subscribe(({ type, query }) => {
    const isRemoved = type === 'removed' && query.queryKey[0] === diaryKey
    if (!isRemoved && personNow() === person) return
    stopWatching()
    search.stop()
    if (current?.search !== search) return
    current = undefined
    setQuery('', '')
  })
}

/** At most this much is sent at once, so that copying it does not block the page. */
const charactersAtOnce = 500_000

class DaySearch {
  #worker: Worker | undefined
  #state: SearchState = { result: undefined, indexed: 0, total: 0, hasFailed: false }
  readonly #watching = new Set<() => void>()
  #texts: readonly DayText[] = []
  /** The `updatedAt` of each text that the worker has. */
  readonly #sent = new Map<string, string | null>()
  #isSending = false
  #isStopped = false
  #request: SearchRequest | undefined
  #isAnswerPending = false
  /** Whether the request is sent after the pending answer: it is a newer one, or there are newer texts. */
  #hasNewerRequest = false

  readonly state = (): SearchState => this.#state

  readonly watch = (changed: () => void) => {
    this.#watching.add(changed)
    return () => void this.#watching.delete(changed)
  }

  readonly update = (texts: readonly DayText[]): void => {
    if (this.#isStopped) return
    this.#texts = texts
    this.#change({ total: texts.length })
    void this.#sendChanges()
  }

  readonly find = (request: SearchRequest): void => {
    this.#request = request
    this.#sendRequest()
  }

  readonly tryAgain = (): void => {
    this.#change({ hasFailed: false })
    void this.#sendChanges()
    this.#sendRequest()
  }

  /** Forgets all texts. */
  stop(): void {
    this.#isStopped = true
    this.#endWorker()
    this.#texts = []
    this.#state = { result: undefined, indexed: 0, total: 0, hasFailed: false }
  }

  #endWorker() {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#sent.clear()
    this.#isAnswerPending = this.#hasNewerRequest = false
  }

  #sendRequest() {
    if (this.#request === undefined || this.#state.hasFailed || this.#isStopped) return
    this.#hasNewerRequest = this.#isAnswerPending
    if (!this.#isAnswerPending) this.#send({ find: this.#request })
    this.#isAnswerPending = true
  }

  /** The newest days are sent first. The pauses between the parts keep the page responsive. */
  async #sendChanges() {
    if (this.#isSending) return
    this.#isSending = true
    // `#nextChange` counts its texts as sent, so it is called only when they can be sent.
    while (!this.#state.hasFailed && !this.#isStopped) {
      const change = this.#nextChange()
      if (change === undefined) break
      this.#send(change)
      await new Promise((resolve) => setTimeout(resolve))
    }
    this.#isSending = false
  }

  #nextChange() {
    const keys = new Set(this.#texts.map(keyOf))
    const removed = [...this.#sent.keys()].filter((key) => !keys.has(key))
    const put: DayText[] = []
    let characters = 0
    for (const text of this.#texts) {
      const key = keyOf(text)
      if (this.#sent.has(key) && this.#sent.get(key) === text.updatedAt) continue
      put.push(text)
      this.#sent.set(key, text.updatedAt)
      characters += text.content.length
      if (characters >= charactersAtOnce) break
    }
    for (const key of removed) this.#sent.delete(key)
    return put.length + removed.length === 0 ? undefined : { put, removed }
  }

  #send(message: ToWorker) {
    this.#worker ??= this.#start()
    this.#worker.postMessage(message)
  }

  #start(): Worker {
    const worker = startWorker('diary/search/search-worker')
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (worker === this.#worker) this.#take(data)
    })
    // A worker whose script could not be loaded never answers.
    worker.addEventListener('error', () => {
      if (worker !== this.#worker) return
      this.#endWorker()
      this.#change({ hasFailed: true, indexed: 0 })
    })
    return worker
  }

  #take(message: FromWorker) {
    if ('indexed' in message) {
      this.#change({ indexed: message.indexed })
      return this.#sendRequest()
    }
    this.#isAnswerPending = false
    this.#change({ result: message.result })
    if (this.#hasNewerRequest) this.#sendRequest()
  }

  #change(changed: Partial<SearchState>) {
    this.#state = { ...this.#state, ...changed }
    for (const watching of this.#watching) watching()
  }
}
