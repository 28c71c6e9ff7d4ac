import type { ServerResponse } from 'node:http'
import { mebibyte, memoryShare } from '../../memory.ts'
import { Bounded, type Held } from './bounded.ts'
import { Counts } from './counts.ts'
import { Refused, unavailable } from '../refusal.ts'

/** A reader that takes nothing of its answer for so long is cut off (R11). */
const stalledMs = 10_000

/** Shorter answers fit into the buffers of the system. */
const longAnswer = 16 * 1024

/** Long answers whose readers have not received them may hold this much memory together, and half of it for one owner. */
const maxUnreceivedBytes = memoryShare(1 / 8, { min: 32 * mebibyte, max: 512 * mebibyte })

/** Streamed lists that may be open at the same time. */
export const streamedPerPerson = 4
export const streamedPerAddress = 32
/** What a reader of such a list makes the server keep: a batch of rows, its text, and its compressed text. */
const streamedBytes = 4 * mebibyte
const streamedInAll = memoryShare(1 / 16, { min: 32 * mebibyte, max: 512 * mebibyte }) / streamedBytes
interface Sending extends Held {
  response: ServerResponse
  taken: number
  takenMs: number
}

/** The long answers that their readers have not taken yet. */
export class SendingAnswers {
  readonly #answers = new Bounded<Sending>({
    bytes: maxUnreceivedBytes,
    ofOwner: { bytes: maxUnreceivedBytes / 2, count: Infinity },
  })
  readonly #streamed = new Map<ServerResponse, string>()
  readonly #streamedOf = new Counts()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a long answer until its reader has taken it. */
  add(response: ServerResponse, payload: unknown, owner: () => string): void {
    // The reader has left already: no `close` event would follow that removes the answer.
    if (response.destroyed || isShort(payload)) return
    const answer: Sending = {
      bytes:
        typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : longAnswer,
      owner: owner(),
      ...(Buffer.isBuffer(payload) && { shared: payload }),
      evict: () => response.destroy(),
      response,
      taken: -1,
      takenMs: this.#now(),
    }
    this.#answers.add(answer)
    response.once('close', () => this.#answers.remove(answer))
  }

  /** Takes one of the places for lists that are sent while they are read, until the answer has ended. */
  reserveStreamed(response: ServerResponse, owner: string, max: number): void {
    if (response.destroyed) throw unavailable()
    if (this.#streamedOf.of(owner) >= max) throw new Refused('TooManyRequests', { retryAfter: 5 })
    if (this.#streamed.size >= streamedInAll) this.#freePlaceFor(owner)
    this.#streamed.set(response, owner)
    this.#streamedOf.add(owner)
    response.once('close', () => this.#leaveStreamed(response))
  }

  /**
   * Ends the oldest list of a visitor for the list of a person: readers of sitemaps need no account, so they could take all
   * places. Otherwise ends the oldest list of the owner with the most lists, and refuses the new list when its owner would
   * then have as many lists as that owner.
   */
  #freePlaceFor(newOwner: string) {
    const ofVisitor = isVisitor(newOwner) ? undefined : this.#findOldest(isVisitor)
    const largest = this.#streamedOf.largest()!
    if (ofVisitor === undefined && this.#streamedOf.of(newOwner) + 1 >= this.#streamedOf.of(largest))
      throw unavailable()
    const oldest = ofVisitor ?? this.#findOldest((owner) => owner === largest)!
    this.#leaveStreamed(oldest)
    oldest.destroy()
  }

  #findOldest(isOwner: (owner: string) => boolean): ServerResponse | undefined {
    return [...this.#streamed].find(([, owner]) => isOwner(owner))?.[0]
  }

  #leaveStreamed(response: ServerResponse) {
    const owner = this.#streamed.get(response)
    if (owner === undefined) return
    this.#streamed.delete(response)
    this.#streamedOf.remove(owner)
  }

  /** Cuts off the readers that take nothing. */
  cutStalled(): void {
    const now = this.#now()
    for (const answer of this.#answers) {
      const { socket } = answer.response
      const unsent = socket?.writableLength ?? 0
      const taken = (socket?.bytesWritten ?? 0) - unsent
      if (unsent === 0 || taken !== answer.taken) answer.takenMs = now
      else if (now - answer.takenMs >= stalledMs) answer.response.destroy()
      answer.taken = taken
    }
  }
}

const isShort = (payload: unknown) =>
  payload === null ||
  payload === undefined ||
  ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < longAnswer)

const isVisitor = (owner: string) => owner.startsWith('address ')
