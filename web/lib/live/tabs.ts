import type { LiveEvents } from '#contract/live/events.ts'
import { randomId } from '#web/lib/session-storage.ts'
import { Connection, type Told } from './connection.ts'

/** What the tabs of a browser say to each other. */
type Word =
  | { kind: 'want'; tab: string; rooms: readonly string[]; as: string }
  | { kind: 'told'; told: Told; resumed: readonly string[]; to?: string }
  | { kind: 'lost' }
  /** The one that listens for all answers each want: it is not asleep. */
  | { kind: 'here' }

export interface Ear {
  rooms: readonly string[]
  /** Whose session it is: another one's stream is another stream. */
  as: string
  /** `resumed` are the rooms of which nothing was missed. */
  hear: (told: Told, resumed: readonly string[]) => void
  lose: () => void
}

const channelName = 'live'
const sayAgainMs = 20_000
/** Hidden tabs speak once a minute at most: one that was not heard for longer is gone. */
const forgetMs = 150_000

/** Plain http has none. */
const hasLocks = () => (navigator as Partial<Navigator>).locks !== undefined

/**
 * One stream for all tabs: whoever holds the lock listens, and passes on what it hears. Where a browser has no locks
 * (plain http) each tab listens for itself while it can be seen.
 */
export class Tabs {
  readonly #me = randomId()
  readonly #ears = new Set<Ear>()
  readonly #wants = new Map<string, { rooms: readonly string[]; as: string; heardAt: number }>()
  readonly #connection = new Connection({
    hear: (told) => this.#pass(told),
    lose: () => this.#say({ kind: 'lost' }),
  })
  #channel: BroadcastChannel | undefined
  #leaving: AbortController | undefined
  #isLeader = false
  #isUp = false
  #lastId = ''
  /** The rooms that the stream carries, as the last `ready` said. */
  #carried: readonly string[] = []
  #timer: ReturnType<typeof setInterval> | undefined
  #spokeAt = 0
  #leaderSpokeAt = 0

  /** Answers how to stop. */
  listen(ear: Ear): () => void {
    if (this.#ears.size === 0) this.#enter()
    const isHeardHere = ear.rooms.every((room) => [...this.#ears].some(({ rooms }) => rooms.includes(room)))
    this.#ears.add(ear)
    this.#wantMine()
    if (isHeardHere && this.#isUp) ear.hear(this.#readyNow(), [])
    return () => {
      this.#ears.delete(ear)
      if (this.#ears.size === 0) this.#leave()
      else this.#wantMine()
    }
  }

  #enter() {
    if (this.#timer !== undefined) return
    this.#timer = setInterval(this.#speak, sayAgainMs)
    this.#spokeAt = Date.now()
    addEventListener('pagehide', this.#leave)
    addEventListener('pageshow', this.#comeBack)
    if (!hasLocks()) {
      this.#isLeader = true
      document.addEventListener('visibilitychange', this.#follow)
      return
    }
    this.#channel = new BroadcastChannel(channelName)
    this.#channel.onmessage = ({ data }: MessageEvent<Word>) => this.#take(data)
    this.#lead()
  }

  /** Listens for all tabs once it is its turn, or at once in the place of a tab that sleeps. */
  #lead({ steal = false } = {}) {
    this.#leaving?.abort()
    const leaving = new AbortController()
    this.#leaving = leaving
    this.#leaderSpokeAt = Date.now()
    const lead = async () => {
      if (leaving.signal.aborted) return
      this.#isLeader = true
      this.#follow()
      await new Promise((resolve) => leaving.signal.addEventListener('abort', resolve))
    }
    navigator.locks
      .request(channelName, steal ? { steal } : { signal: leaving.signal }, lead)
      // It left before its turn came, or another tab has taken its place while it slept.
      .catch(() => {
        if (!leaving.signal.aborted && this.#isLeader) this.#beginAnew()
      })
  }

  readonly #leave = () => {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#connection.close()
    this.#post({ kind: 'want', tab: this.#me, rooms: [], as: '' })
    this.#leaving?.abort()
    this.#channel?.close()
    this.#channel = undefined
    this.#isLeader = false
    this.#wants.clear()
    this.#forget()
    removeEventListener('pagehide', this.#leave)
    document.removeEventListener('visibilitychange', this.#follow)
  }

  /** Out of the browser's memory of pages. */
  readonly #comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted && this.#ears.size > 0) this.#beginAnew()
  }

  /** What the others have heard meanwhile was not heard here. */
  #beginAnew() {
    this.#leave()
    this.#enter()
    this.#wantMine()
  }

  readonly #speak = () => {
    const now = Date.now()
    const hasSlept = now - this.#spokeAt > forgetMs
    const isAlone = !this.#isLeader && now - this.#leaderSpokeAt > 1.5 * sayAgainMs
    this.#spokeAt = now
    if (hasSlept) return this.#beginAnew()
    if (isAlone && document.visibilityState === 'visible') this.#lead({ steal: true })
    this.#wantMine()
  }

  #wantMine() {
    const ears = [...this.#ears]
    const rooms = [...new Set(ears.flatMap((ear) => ear.rooms))]
    this.#say({ kind: 'want', tab: this.#me, rooms, as: ears[0]?.as ?? '' })
  }

  #say(word: Word) {
    this.#take(word)
    this.#post(word)
  }

  #post(word: Word) {
    this.#channel?.postMessage(word)
  }

  #take(word: Word) {
    if (word.kind === 'want') return this.#note(word)
    this.#leaderSpokeAt = Date.now()
    if (word.kind === 'lost') this.#lose()
    else if (word.kind === 'told' && (word.to ?? this.#me) === this.#me) this.#hear(word.told, word.resumed)
  }

  #note({ tab, rooms, as }: Extract<Word, { kind: 'want' }>) {
    const known = this.#wants.get(tab)
    if (rooms.length === 0) this.#wants.delete(tab)
    else this.#wants.set(tab, { rooms, as, heardAt: Date.now() })
    if (!this.#isLeader) return
    if (tab !== this.#me) this.#post({ kind: 'here' })
    const isNew = rooms.some((room) => !known?.rooms.includes(room))
    const isOpenedAnew = this.#follow()
    // Who comes to what is carried already is told so; the others hear it from the stream.
    if (isNew && this.#isUp && !isOpenedAnew)
      this.#say({ kind: 'told', told: this.#readyNow(), resumed: [], to: tab })
  }

  #readyNow(): Told {
    return { name: 'ready', data: JSON.stringify({ rooms: this.#carried }), id: this.#lastId }
  }

  /** Listens to what the tabs want now; answers whether that is another stream. */
  readonly #follow = (): boolean => {
    if (!this.#isLeader) return false
    const isUnseen = this.#channel === undefined && document.visibilityState === 'hidden'
    for (const [tab, { heardAt }] of this.#wants)
      if (tab !== this.#me && Date.now() - heardAt > forgetMs) this.#wants.delete(tab)
    const wants = isUnseen ? [] : [...this.#wants.values()]
    const rooms = [...new Set(wants.flatMap((want) => want.rooms))].toSorted()
    // Who came last knows best whose session it is: a tab comes anew when somebody signs in or out.
    const isOpenedAnew = this.#connection.listen(rooms, wants.at(-1)?.as ?? '', this.#lastId)
    if (rooms.length === 0) this.#forget()
    return isOpenedAnew
  }

  #forget() {
    this.#isUp = false
    this.#lastId = ''
    this.#carried = []
  }

  /** From the stream to all tabs, this one included. */
  #pass(told: Told) {
    const resumed = told.name === 'ready' && this.#lastId !== '' ? this.#carried : []
    this.#say({ kind: 'told', told, resumed })
  }

  #lose() {
    this.#isUp = false
    for (const ear of this.#ears) ear.lose()
  }

  #hear(told: Told, resumed: readonly string[]) {
    this.#isUp = true
    this.#lastId = told.id
    if (told.name === 'ready') this.#carried = (JSON.parse(told.data) as LiveEvents['ready']).rooms
    for (const ear of this.#ears) ear.hear(told, resumed)
  }
}
