import type { Inboxes } from '#server/features/inbox/index.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { listNews } from './live-queries.ts'

interface Deps {
  database: Database
  inboxes: Pick<Inboxes, 'isConnected' | 'send'>
}

/** How many rooms one query reads. A room has at most 200 members. */
const roomsAtOnce = 50
/** More rooms would wait so long that their passages are no longer new. */
const waitingMax = 10 * roomsAtOnce
/** Each send reads permissions. Other events of inboxes get their turn between these groups. */
const sendsAtOnce = 50

/**
 * Notifies the members of rooms in which others have written, wherever these members are. Runs once a second and not for
 * each passage, and stores nothing, so that no writer waits for it.
 */
export class RoomNews {
  readonly #changedIds = new Set<string>()
  /** The time of the newest passage that was sent, by room. A room also changes when somebody joins it. */
  readonly #sentUntil = new Map<string, string>()
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  add(roomId: string): void {
    if (this.#changedIds.size < waitingMax) this.#changedIds.add(roomId)
  }

  async send(): Promise<void> {
    const { database, inboxes } = this.#deps
    const roomIds = [...this.#changedIds].slice(0, roomsAtOnce)
    if (roomIds.length === 0) return
    for (const id of roomIds) this.#changedIds.delete(id)
    const found = await listNews(database, roomIds)
    const news = found.filter(({ roomId, writtenAt }) => writtenAt > (this.#sentUntil.get(roomId) ?? ''))
    for (const { roomId, writtenAt } of news) this.#noteSent(roomId, writtenAt)
    const receivable = news.filter(({ personId }) => inboxes.isConnected(personId))
    for (let i = 0; i < receivable.length; i += sendsAtOnce)
      await Promise.all(
        receivable
          .slice(i, i + sendsAtOnce)
          .map(({ personId, ...written }) => inboxes.send(personId, 'room.written', written)),
      )
  }

  #noteSent(roomId: string, writtenAt: string) {
    const known = this.#sentUntil.get(roomId) ?? ''
    this.#sentUntil.delete(roomId)
    this.#sentUntil.set(roomId, writtenAt > known ? writtenAt : known)
    const [longestAgo] = this.#sentUntil.keys()
    if (this.#sentUntil.size > waitingMax) this.#sentUntil.delete(longestAgo!)
  }
}
