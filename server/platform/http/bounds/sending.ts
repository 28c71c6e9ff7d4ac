import type { ServerResponse } from 'node:http'
import { mebibyte, memoryShare } from '../../memory.ts'
import { Bounded, type Held } from './bounded.ts'
import { Counts } from './counts.ts'
import { Refused, unavailable } from '../refusal.ts'

/** A client that receives nothing of its answer for this long is disconnected (R11). */
const stalledMs = 10_000

/** Shorter answers fit into the buffers of the operating system. */
const longAnswer = 16 * 1024

/** The memory for all long answers that clients have not received. The answers of one owner may take half of it. */
const maxUnreceivedBytes = memoryShare(1 / 8, { min: 32 * mebibyte, max: 512 * mebibyte })

/** How many streamed lists of one owner may be open at a time. */
export const streamedPerPerson = 4
export const streamedPerAddress = 32
/** The memory that a streamed list takes: a batch of rows, its text, and its compressed text. */
const streamedBytes = 4 * mebibyte
const streamedInAll = memoryShare(1 / 16, { min: 32 * mebibyte, max: 512 * mebibyte }) / streamedBytes
interface Sending extends Held {
  response: ServerResponse
  receivedBytes: number
  lastReceivedMs: number
}

/** The long answers that clients have not received yet, and the streamed lists that are open. */
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

  /** Counts a long answer until the client has received it. */
  add(response: ServerResponse, payload: unknown, owner: () => string): void {
    // The client has already disconnected: no `close` event would follow that removes the answer.
    if (response.destroyed || isShort(payload)) return
    const answer: Sending = {
      bytes:
        typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : longAnswer,
      owner: owner(),
      ...(Buffer.isBuffer(payload) && { shared: payload }),
      evict: () => response.destroy(),
      response,
      receivedBytes: -1,
      lastReceivedMs: this.#now(),
    }
    this.#answers.add(answer)
    response.once('close', () => this.#answers.remove(answer))
  }

  /** Refuses a streamed list when its owner has `max` open ones. Otherwise counts it until its answer has ended. */
  reserveStreamed(response: ServerResponse, owner: string, max: number): void {
    if (response.destroyed) throw unavailable()
    if (this.#streamedOf.of(owner) >= max) throw new Refused('TooManyRequests', { retryAfter: 5 })
    if (this.#streamed.size >= streamedInAll) this.#endAnotherFor(owner)
    this.#streamed.set(response, owner)
    this.#streamedOf.add(owner)
    response.once('close', () => this.#leaveStreamed(response))
  }

  /**
   * Ends another list, because too many are open in all. For the list of a person that is the oldest list of a visitor, if
   * there is one: sitemaps need no account, so visitors could open all lists. Otherwise it is the oldest list of the owner with
   * the most lists. The new list is refused when its owner would then have as many lists as that owner.
   */
  #endAnotherFor(newOwner: string) {
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

  /** Disconnects the clients that receive nothing. */
  cutStalled(): void {
    const now = this.#now()
    for (const answer of this.#answers) {
      const { socket } = answer.response
      const unsent = socket?.writableLength ?? 0
      const receivedBytes = (socket?.bytesWritten ?? 0) - unsent
      if (unsent === 0 || receivedBytes !== answer.receivedBytes) answer.lastReceivedMs = now
      else if (now - answer.lastReceivedMs >= stalledMs) answer.response.destroy()
      answer.receivedBytes = receivedBytes
    }
  }
}

const isShort = (payload: unknown) =>
  payload === null ||
  payload === undefined ||
  ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < longAnswer)

const isVisitor = (owner: string) => owner.startsWith('address ')
