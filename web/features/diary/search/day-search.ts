import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { getDiary } from '#contract/diary/endpoints.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { hasLeft } from '#web/lib/storage.ts'
import { startWorker } from '#web/lib/workers.ts'
import type { DayText } from '../day-texts.ts'
import { type Answer, type FromWorker, keyOf, type Question, type ToWorker } from './day-index.ts'
import { seek } from './sought.ts'

interface SearchState {
  /** To the last question that the worker has answered. */
  answer: Answer | undefined
  /** How many texts the worker has, of how many. */
  indexed: number
  total: number
  hasFailed: boolean
}

/** Finds texts of a person in a worker. `texts` are all of them; the worker is sent those that have changed. */
export function useDaySearch(owner: string, texts: readonly DayText[], { query, limit }: Question) {
  const search = searchOf(owner, useQueryClient())
  const state = useSyncExternalStore(search.watch, search.state)
  useEffect(() => search.update(texts), [search, texts])
  useEffect(() => search.find({ query, limit }), [search, query, limit])
  return { ...state, tryAgain: search.restart }
}

let current: { owner: string; client: QueryClient; search: DaySearch } | undefined

/** The same search as long as the page has the days of this person. */
function searchOf(owner: string, client: QueryClient): DaySearch {
  if (current?.owner === owner && current.client === client) return current.search
  current?.search.stop()
  const search = new DaySearch()
  current = { owner, client, search }
  // The local copies of a person who has just left may not be gone yet.
  if (hasLeft(owner)) search.stop()
  else stopAtLogOut(search, client)
  return search
}

/** Ends the search when log-out removes the days of the account from the page. */
function stopAtLogOut(search: DaySearch, client: QueryClient) {
  const [diaryKey] = queryKeyOf(getDiary)
  const stopWatching = client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'removed' || query.queryKey[0] !== diaryKey) return
    stopWatching()
    search.stop()
    if (current?.search !== search) return
    current = undefined
    seek('', '')
  })
}

/** So much text is sent at once that copying it does not block the page. */
const charactersAtOnce = 500_000

class DaySearch {
  #worker: Worker | undefined
  #state: SearchState = { answer: undefined, indexed: 0, total: 0, hasFailed: false }
  readonly #watching = new Set<() => void>()
  #texts: readonly DayText[] = []
  /** The `updatedAt` of each text that the worker has. */
  readonly #sent = new Map<string, string | null>()
  #isSending = false
  #isStopped = false
  #question: Question | undefined
  /** Whether the worker has not answered the last question yet. Only the newest question waits. */
  #isAsking = false
  #isWaiting = false

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

  readonly find = (question: Question): void => {
    this.#question = question
    this.#ask()
  }

  readonly restart = (): void => {
    this.#change({ hasFailed: false })
    void this.#sendChanges()
    this.#ask()
  }

  /** Forgets all texts. */
  stop(): void {
    this.#isStopped = true
    this.#endWorker()
    this.#texts = []
    this.#state = { answer: undefined, indexed: 0, total: 0, hasFailed: false }
  }

  #endWorker() {
    this.#worker?.terminate()
    this.#worker = undefined
    this.#sent.clear()
    this.#isAsking = this.#isWaiting = false
  }

  #ask() {
    if (this.#question === undefined || this.#state.hasFailed || this.#isStopped) return
    this.#isWaiting = this.#isAsking
    if (!this.#isAsking) this.#send({ find: this.#question })
    this.#isAsking = true
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
      return this.#ask()
    }
    this.#isAsking = false
    this.#change({ answer: message.answer })
    if (this.#isWaiting) this.#ask()
  }

  #change(changed: Partial<SearchState>) {
    this.#state = { ...this.#state, ...changed }
    for (const watching of this.#watching) watching()
  }
}
