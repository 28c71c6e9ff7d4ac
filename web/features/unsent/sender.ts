import type { QueryClient } from '@tanstack/react-query'
import type { Draft, DraftKey, RequestedSave } from '#web/lib/editor/draft.ts'
import { allDraftsOf } from '#web/lib/editor/drafts.ts'
import { onUnsentChange, openManuscripts } from '#web/lib/editor/open-manuscripts.ts'
import { ConflictError } from '#web/lib/editor/save.ts'
import { sendDraft } from '#web/lib/editor/send-draft.ts'
import { openTabs, tabId } from '#web/lib/editor/tab.ts'
import { kindOfPlace, type TextKind } from '#web/lib/editor/text-kind.ts'
import { needsSignIn, isTemporary, isSentLater } from '#web/lib/editor/requested-save.ts'
import { retryDelay } from '#web/lib/query-client.ts'
import { RequestError } from '#web/lib/request.ts'

/** A text that the server does not have yet, although the person asked to save it. */
export interface UnsentText extends RequestedSave {
  place: string
  kind: TextKind
  name: string
  path: string
}

export interface UnsentTexts {
  /** In the order in which the person asked to save them. */
  texts: UnsentText[]
  isSending: boolean
  isOffline: boolean
  /** The texts wait until the person of this page signs in again. */
  isSignedOut: boolean
  /** The server asked to send nothing before this time, in milliseconds since the epoch; 0 when it did not. */
  pausedUntil: number
}

/** A text that waits: in an editor of this tab, or as a draft. */
interface Job {
  since: string
  send: () => Promise<void>
}

/** The pause between tries without a network, and while the drafts cannot be read. */
const longDelayMs = 30_000

/** Thrown to end a round of sending early. The texts that are left are tried later. */
class RoundEnded extends Error {}

/**
 * Sends the texts of a person that wait for the server: one after the other, in the order in which the person asked to save
 * them. It tries at the start, when the network is back, when the tab is shown, and after a pause while a text waits. Each
 * tab sends the texts that were written in it, and those of closed tabs. A Web Lock lets one tab send at a time.
 */
export class Sender {
  readonly #personId: string
  readonly #kinds: TextKind[]
  readonly #client: QueryClient
  readonly #listeners = new Set<() => void>()
  #snapshot: UnsentTexts = {
    texts: [],
    isSending: false,
    isOffline: false,
    isSignedOut: false,
    pausedUntil: 0,
  }
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  #sending: Promise<void> | null = null
  #isAskedAgain = false
  #isStopped = false
  /** Whether the last read of the drafts was answered. */
  #hasReadDrafts = true

  constructor({ personId, kinds, client }: { personId: string; kinds: TextKind[]; client: QueryClient }) {
    this.#personId = personId
    this.#kinds = kinds
    this.#client = client
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly snapshot = (): UnsentTexts => this.#snapshot

  /** Returns a function that stops the sender after the text that it is sending. */
  start(): () => void {
    this.#isStopped = false
    const events = ['online', 'offline', 'focus', 'pageshow'] as const
    const onShow = () => document.visibilityState === 'visible' && this.#trySoon()
    for (const event of events) addEventListener(event, this.#trySoon)
    document.addEventListener('visibilitychange', onShow)
    const stopListening = onUnsentChange(this.#refreshSoon)
    this.#trySoon()
    return () => {
      this.#isStopped = true
      clearTimeout(this.#timer)
      for (const event of events) removeEventListener(event, this.#trySoon)
      document.removeEventListener('visibilitychange', onShow)
      stopListening()
    }
  }

  /** Sends what waits. Resolves when everything is sent, or when the rest has to wait longer. */
  async send(): Promise<void> {
    this.#isAskedAgain = this.#sending !== null
    this.#sending ??= this.#sendRounds().finally(() => (this.#sending = null))
    await this.#sending
  }

  readonly #trySoon = () => void this.send()

  /** A text that an editor could not save now is tried again after a pause, not at once. */
  readonly #refreshSoon = () =>
    void this.#refresh().then(() => {
      if (this.#sending === null && this.#hasTextToSend) this.#tryAgainLater()
    })

  get #hasTextToSend() {
    return this.#snapshot.texts.some(isSentLater)
  }

  async #sendRounds() {
    do {
      this.#isAskedAgain = false
      await this.#refresh()
      if (!this.#hasTextToSend || Date.now() < this.#snapshot.pausedUntil) continue
      this.#update({ isSending: true, pausedUntil: 0 })
      await withLock(`unsent:${this.#personId}`, () => this.#sendAll())
      await this.#refresh()
      this.#update({ isSending: false })
    } while (this.#isAskedAgain && !this.#isStopped)
    if (this.#hasTextToSend || !this.#hasReadDrafts) this.#tryAgainLater()
  }

  /** Plans a try also when the browser says that it is offline, because that may be wrong. */
  #tryAgainLater() {
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    const mayBeShort = navigator.onLine && this.#hasReadDrafts
    const delayMs = mayBeShort ? retryDelay(this.#failures) : longDelayMs
    this.#timer = setTimeout(this.#trySoon, Math.max(delayMs, this.#snapshot.pausedUntil - Date.now()))
  }

  async #sendAll() {
    let hasFailed = false
    let hasSent = false
    try {
      for (const job of await this.#jobs()) {
        if (this.#isStopped) return
        try {
          await job.send()
          hasSent = true
          if (this.#snapshot.isSignedOut) this.#update({ isSignedOut: false })
        } catch (error) {
          if (this.#hasToWait(error)) hasFailed = true
        }
      }
    } catch (error) {
      if (!(error instanceof RoundEnded)) throw error
      hasFailed = true
    }
    // A round without a job counts as a failure: the text that waits may be in an editor of another tab, which sends it.
    this.#failures = hasSent && !hasFailed ? 0 : this.#failures + 1
  }

  /**
   * Whether the text whose sending failed has to wait. Throws `RoundEnded` when the other texts have to wait, too. An
   * unexpected failure of the server may be about one text.
   */
  #hasToWait(error: unknown): boolean {
    // The text does not wait any more: the person has to decide.
    if (error instanceof ConflictError) return false
    const isRefusal = error instanceof RequestError
    if (isRefusal && error.retryAfterSeconds > 0)
      this.#update({ pausedUntil: Date.now() + error.retryAfterSeconds * 1000 })
    const isSignedOut = isRefusal && needsSignIn(error)
    if (isSignedOut) this.#update({ isSignedOut })
    const isUnexpected = isRefusal && error.status === 500
    if (isSignedOut || (isTemporary(error) && !isUnexpected)) throw new RoundEnded()
    // An answer that is none of ours, such as the page of a proxy, may not come again.
    return isTemporary(error) || !isRefusal
  }

  async #jobs(): Promise<Job[]> {
    const opened = this.#openManuscripts().flatMap((manuscript): Job[] => {
      const { saveToRetry } = manuscript
      if (saveToRetry === undefined || manuscript.saving !== null) return []
      const retry = async () => {
        const error = await manuscript.retry()
        if (error !== null) throw error
      }
      return [{ since: saveToRetry.since, send: retry }]
    })
    const closed = (await this.#closedDrafts()).flatMap(([key, draft]): Job[] => {
      const found = kindOfPlace(this.#kinds, key[1])
      if (found === undefined || !isSentLater(draft.waiting)) return []
      const save = found.kind.saveOf(this.#client, this.#personId, found.key)
      return [{ since: draft.waiting.since, send: () => sendDraft(save, key, draft) }]
    })
    return [...opened, ...closed].toSorted(bySince)
  }

  #openManuscripts() {
    return [...openManuscripts].filter(({ owner }) => owner === this.#personId)
  }

  /** The drafts of this tab and of closed tabs, without places that are open in an editor, here or in another tab. */
  async #closedDrafts(): Promise<[DraftKey, Draft][]> {
    const drafts = await allDraftsOf(this.#personId).catch(() => [])
    const others = [...new Set(drafts.map(([[, , tab]]) => tab))].filter((tab) => tab !== tabId)
    const open = new Set(await openTabs(others))
    const openPlaces = new Set([
      ...this.#openManuscripts().map(({ place }) => place),
      ...drafts.flatMap(([[, place, tab]]) => (open.has(tab) ? [place] : [])),
    ])
    return drafts.filter(([[, place]]) => !openPlaces.has(place))
  }

  /** Reads the unsent texts again, for the listeners. */
  async #refresh() {
    const read = await allDraftsOf(this.#personId).catch(() => undefined)
    this.#hasReadDrafts = read !== undefined
    const drafts = read ?? []
    const opened = this.#openManuscripts()
    const found = new Map<string, UnsentText>()
    const add = (place: string, text: string, requested: RequestedSave | undefined) => {
      const known = kindOfPlace(this.#kinds, place)
      if (known === undefined || requested === undefined) return
      const { kind, key } = known
      const name = kind.nameOf(key, text)
      found.set(place, { ...requested, place, kind, name, path: kind.pathOf(this.#client, key) })
    }
    for (const [[, place], { text, waiting }] of drafts) add(place, text, waiting)
    for (const each of opened)
      if (!found.has(each.place)) add(each.place, each.snapshot().text, each.saveToRetry)
    this.#update({ texts: [...found.values()].toSorted(bySince), isOffline: !navigator.onLine })
  }

  #update(part: Partial<UnsentTexts>) {
    this.#snapshot = { ...this.#snapshot, ...part }
    for (const listener of this.#listeners) listener()
  }
}

const bySince = (one: { since: string }, other: { since: string }) => (one.since < other.since ? -1 : 1)

const longestWaitMs = 60_000

/**
 * Runs the work while no other tab of this browser runs work under this name. After a minute the work runs anyway, because the
 * other tab may be suspended. Without Web Locks (plain http) the work runs at once. Two tabs that send the same text store it
 * once, because both name the same base.
 */
async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  const locks: LockManager | undefined = navigator.locks
  if (locks === undefined) return work()
  let hasBegun = false
  try {
    await locks.request(name, { signal: AbortSignal.timeout(longestWaitMs) }, () => {
      hasBegun = true
      return work()
    })
  } catch (error) {
    if (hasBegun) throw error
    await work()
  }
}
