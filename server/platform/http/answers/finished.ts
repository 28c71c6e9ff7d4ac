import type { FindCached } from './early-answers.ts'
import type { Prepared } from './prepared.ts'

/** An answer of a handler that is already made: bytes, and the cursor of the next slice of a list. */
export class Finished {
  readonly prepared: Prepared
  readonly nextBefore: string | undefined
  readonly find: FindCached | undefined

  /**
   * `find` returns the cached answer. While it returns these bytes, they are sent again to this address without the handler.
   * It is only for a route whose answer is the same for everybody: `EarlyAnswers.note` throws at another one.
   */
  constructor(answer: { prepared: Prepared; nextBefore?: string | undefined }, find?: FindCached) {
    this.prepared = answer.prepared
    this.nextBefore = answer.nextBefore
    this.find = find
  }
}
