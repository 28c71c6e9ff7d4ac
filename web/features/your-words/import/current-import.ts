import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary, getDiaryEntry } from '#contract/diary/endpoints.ts'
import { listDocuments } from '#contract/documents/endpoints.ts'
import { listDrafts } from '#contract/drafts/endpoints.ts'
import { answersOf, queryKeyOf } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { startWorker } from '#web/lib/workers.ts'
import { type ChosenFile, importFailed, type ImportState, type ToImportWorker } from './import-state.ts'

/** What an import may have changed. */
const changed = answersOf([getDiary, getDiaryEntry, getCalendar, listDrafts, listDocuments])

/** The import of this tab. It goes on while the person is on another page. */
class CurrentImport {
  #worker: Worker | undefined
  #state: ImportState | null = null
  #stopWatching = () => {}
  readonly #watching = new Set<() => void>()

  readonly state = (): ImportState | null => this.#state

  readonly watch = (changed: () => void) => {
    this.#watching.add(changed)
    return () => void this.#watching.delete(changed)
  }

  /** Reads files and compares them with what the person has. Nothing is saved before `apply`. */
  start(client: QueryClient, files: ChosenFile[], personId: string): void {
    this.#end()
    const worker = startWorker('your-words/import/import-worker')
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<ImportState>) => {
      if (worker === this.#worker) this.#take(data, client)
    })
    // A worker whose script could not be loaded never answers, and one that fails may not answer any more.
    worker.addEventListener('error', () => {
      const reason = this.#state?.step === 'importing' ? importFailed : notStarted
      if (worker === this.#worker) this.#take({ step: 'refused', reason }, client)
    })
    const stopWatching = client.getQueryCache().subscribe(() => {
      // The person of a session that has ended may sign in again.
      const person = client.getQueryData<User | null>(queryKeyOf(getMe))
      if (person != null && person.id !== personId) this.stop(client)
    })
    addEventListener('beforeunload', askBeforeLeaving)
    this.#stopWatching = () => {
      stopWatching()
      removeEventListener('beforeunload', askBeforeLeaving)
    }
    this.#change({ step: 'reading', done: 0, of: 0 })
    this.#send({ read: files, personId })
  }

  apply(): void {
    this.#send('apply')
  }

  /** The person has signed in again. */
  goOnSignedIn(): void {
    this.#send('continue')
  }

  /** Ends the import. What it has saved stays. */
  stop(client: QueryClient): void {
    const hasSaved = this.#state?.step === 'importing'
    this.#end()
    this.#change(null)
    if (hasSaved) void readAgain(client, changed)
  }

  #take(state: ImportState, client: QueryClient) {
    const isOver = state.step === 'done' || state.step === 'refused'
    if (isOver) {
      this.#end()
      void readAgain(client, changed)
    }
    this.#change(state)
  }

  #end() {
    this.#stopWatching()
    this.#stopWatching = () => {}
    this.#worker?.terminate()
    this.#worker = undefined
  }

  #send(message: ToImportWorker) {
    this.#worker?.postMessage(message)
  }

  #change(state: ImportState | null) {
    this.#state = state
    for (const watching of this.#watching) watching()
  }
}

const notStarted = 'The import could not be started. Check the connection and try again.'

/** A browser asks whether to leave the page. */
function askBeforeLeaving(event: Event) {
  if (current.state()?.step === 'importing') event.preventDefault()
}

const current = new CurrentImport()

/** The import of this tab, if there is one, and what the person can do with it. */
export function useImport(personId: string) {
  const client = useQueryClient()
  const state = useSyncExternalStore(current.watch, current.state)
  return {
    state,
    start: (files: ChosenFile[]) => current.start(client, files, personId),
    apply: () => current.apply(),
    goOnSignedIn: () => current.goOnSignedIn(),
    stop: () => current.stop(client),
  }
}
