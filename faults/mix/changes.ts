import { callOnce, type KeyHeader, newKey, retry } from '../retry.ts'
import type { Journal, TrackedRow } from './journal.ts'

type Send = (headers: KeyHeader) => Promise<Response>

/** `isFirst`: no earlier try of this change was left without an answer. */
type Outcome<Answer> =
  | { kind: 'done'; answer: Answer }
  | { kind: 'refused'; status: number; isFirst: boolean }
  | { kind: 'given up' }

/** The probability that a writer gives up a change whose answer did not come, instead of repeating it. */
const giveUpProbability = 0.3
/** The probability that a writer repeats an acknowledged change, as a browser does whose connection broke. */
const repeatProbability = 0.1

/** Makes changes, each under one key, and records their answers in the journal. */
export class Changes {
  readonly journal: Journal
  /** Answers that nothing explains: each is a fault. */
  readonly unexpected: string[] = []
  readonly #random: () => number

  constructor(journal: Journal, random: () => number) {
    this.journal = journal
    this.#random = random
  }

  /** `expected`: the statuses of refusals that another change may cause. */
  async change<Answer>(
    send: Send,
    { expected = [], storesAnswer = false }: { expected?: number[]; storesAnswer?: boolean } = {},
  ): Promise<Outcome<Answer>> {
    const headers = newKey()
    const outcome = await retry(
      () => send(headers),
      () => this.#random() < giveUpProbability,
    )
    if (outcome === undefined) return { kind: 'given up' }
    const { status, text, isFirst } = outcome
    if (status >= 400) {
      if (!expected.includes(status)) this.unexpected.push(`${status} ${text}`)
      return { kind: 'refused', status, isFirst }
    }
    this.journal.acknowledged++
    if (storesAnswer && this.#random() < repeatProbability) await this.#repeat(() => send(headers), text)
    return { kind: 'done', answer: JSON.parse(text) as Answer }
  }

  /** Adds a row that has an id of its own. */
  async add<Answer extends { id: string }>(
    row: TrackedRow,
    send: Send,
    expected: number[] = [],
  ): Promise<Answer | undefined> {
    const outcome = await this.change<Answer>(send, { expected, storesAnswer: true })
    if (outcome.kind === 'refused' && outcome.isFirst) row.added = 'no'
    if (outcome.kind !== 'done') return undefined
    row.id = outcome.answer.id
    row.added = 'yes'
    return outcome.answer
  }

  /** Adds a row that has no id, such as a membership. Returns whether the server acknowledged it. */
  async addPair(row: TrackedRow, send: Send, expected: number[] = []): Promise<boolean> {
    const outcome = await this.change(send, { expected })
    if (outcome.kind === 'done') row.added = 'yes'
    if (outcome.kind === 'refused' && outcome.isFirst) row.added = 'no'
    return outcome.kind === 'done'
  }

  /** Deletes a row. A repeated deletion is refused with the status `gone`. */
  async delete(row: TrackedRow, send: Send, gone = 404): Promise<void> {
    row.deleted = 'perhaps'
    const outcome = await this.change(send, { expected: [gone] })
    if (outcome.kind === 'given up') return
    // A first call that does not find the row deleted nothing.
    row.deleted = outcome.kind === 'refused' && outcome.isFirst ? 'no' : 'yes'
  }

  async #repeat(send: () => Promise<Response>, text: string) {
    const again = await callOnce(send)
    // The row may have been deleted since.
    if (again === undefined || again.status === 404) return
    if (again.text !== text) this.unexpected.push(`The repeated call: ${again.text}, the first: ${text}`)
  }
}
