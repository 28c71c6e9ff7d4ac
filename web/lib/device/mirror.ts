import type { Query, QueryCacheNotifyEvent, QueryClient } from '@tanstack/react-query'
import { retriesRead } from '#web/lib/query-client.ts'
import { RequestError } from '#web/lib/request.ts'
import { forgetAnswer, forgetOldAnswers } from './answers.ts'
import { forgetOthers } from './database.ts'
import { AnswerStore, type KeptQueries } from './answer-store.ts'

/** Answers are written when the page has been quiet for so long, or when it is hidden. */
const writeAfterMs = 500
/** A network may give neither an answer nor an error. What is kept is shown after so long, until the answer comes. */
const showAfterMs = 5000

interface MirrorOptions {
  /** Shows what is kept before the server answers: the page itself came without the server. */
  showsKeptFirst?: boolean
}

let running: { owner: string; stop: () => void } | undefined

/**
 * Keeps the answers of a person in the database of this device while they arrive, and puts the kept ones into the cache where the
 * server cannot be reached. Every tab keeps what it has read: the older of two answers never replaces the newer one. Until
 * `stopMirror`, queries also are not retried without a network, and those that failed are read again when it is back.
 */
export function startMirror(
  client: QueryClient,
  owner: string,
  queries: KeptQueries,
  options: MirrorOptions = {},
): void {
  if (running?.owner === owner) return
  running?.stop()
  running = { owner, stop: mirror(client, owner, queries, options) }
}

export function stopMirror(owner: string): void {
  if (running?.owner !== owner) return
  running.stop()
  running = undefined
}

function mirror(client: QueryClient, owner: string, queries: KeptQueries, { showsKeptFirst }: MirrorOptions) {
  const store = new AnswerStore(owner, queries)
  const cache = client.getQueryCache()
  const changed = new Set<Query>()
  /** When each query that is running was sent. */
  const sentAt = new WeakMap<Query, number>()
  /** When the server was asked for the answer of each query. Not known of what this device has kept. */
  const askedAt = new WeakMap<Query, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing = forgetOthers(owner).then(() => forgetOldAnswers(owner, Date.now()))
  let isStopped = false

  const note = (query: Query) => {
    changed.add(query)
    timer ??= setTimeout(writeAll, writeAfterMs)
  }

  const writeAll = () => {
    clearTimeout(timer)
    timer = undefined
    const batch = [...changed]
    changed.clear()
    writing = writing.then(async () => {
      for (const query of batch) {
        const { queryKey, state } = query
        if (isStopped) return
        if (state.data === undefined) continue
        const answered = {
          queryKey,
          answer: state.data,
          answeredAt: state.dataUpdatedAt,
          askedAt: askedAt.get(query),
        }
        // Some queries answer null for what is gone.
        const writes = state.data === null ? forgetAnswer(owner, queryKey) : store.keep(answered, client)
        await writes.catch(console.error)
        await pause()
      }
    })
  }

  const show = async (query: Query) => {
    if (query.state.data !== undefined || !store.keeps(query.queryKey)) return
    const found = await store.read(query.queryKey).catch(() => undefined)
    if (isStopped || found === undefined || query.state.data !== undefined) return
    // A failure stays: the page says that the text may be out of date.
    const status = query.state.error === null ? 'success' : 'error'
    query.setState({ ...query.state, data: found.answer, dataUpdatedAt: found.keptAt, status })
  }

  const showIfLate = (query: Query) => {
    if (query.state.data !== undefined) return
    setTimeout(() => query.state.fetchStatus === 'fetching' && void show(query), showAfterMs)
  }

  const onChange = (event: QueryCacheNotifyEvent) => {
    const { query } = event
    if (event.type === 'added' && showsKeptFirst) void show(query)
    if (event.type !== 'updated' || !store.keeps(query.queryKey)) return
    const { action } = event
    if (action.type === 'fetch') {
      sentAt.set(query, Date.now())
      showIfLate(query)
    }
    if (action.type === 'success') {
      if (!action.manual) askedAt.set(query, sentAt.get(query) ?? performance.timeOrigin)
      note(query)
    }
    if (action.type !== 'failed' && action.type !== 'error') return
    if (isUnavailable(action.error)) void show(query)
    else if (isGone(action.error)) void forgetAnswer(owner, query.queryKey)
  }

  for (const query of cache.getAll()) {
    if (!store.keeps(query.queryKey)) continue
    // Answered before this file was loaded.
    if (query.state.dataUpdatedAt >= performance.timeOrigin) askedAt.set(query, performance.timeOrigin)
    if (query.state.data !== undefined) note(query)
    else if (showsKeptFirst || isUnavailable(query.state.error)) void show(query)
    else showIfLate(query)
  }
  const stopReading = cache.subscribe(onChange)

  const readAgain = () =>
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.error instanceof TypeError })
  const onHide = () => document.hidden && writeAll()
  addEventListener('online', readAgain)
  document.addEventListener('visibilitychange', onHide)
  const before = client.getDefaultOptions()
  const retry = (failures: number, error: Error) => navigator.onLine && retriesRead(failures, error)
  client.setDefaultOptions({ ...before, queries: { ...before.queries, retry } })

  return () => {
    isStopped = true
    clearTimeout(timer)
    stopReading()
    removeEventListener('online', readAgain)
    document.removeEventListener('visibilitychange', onHide)
    client.setDefaultOptions(before)
  }
}

/** The server could not be reached, or did not work, or a proxy has answered in its place. */
const isUnavailable = (error: unknown) =>
  error instanceof TypeError ||
  error instanceof SyntaxError ||
  (error instanceof RequestError && error.status >= 500)

/** The person may no longer read it. */
const isGone = (error: unknown) => error instanceof RequestError && [403, 404].includes(error.status)

const pause = () => new Promise((resolve) => setTimeout(resolve))
