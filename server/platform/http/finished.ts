import type { FindCached } from './early-answers.ts'
import type { Prepared } from './prepared.ts'

/** An answer of a handler that is already made: bytes, and the cursor of the next slice of a list. */
export class Finished {
  readonly prepared: Prepared
  readonly nextBefore: string | undefined
  readonly find: FindCached | undefined

  /** These bytes are the answer of the address as long as `find` finds them: they may be sent without the handler. */
  constructor(answer: { prepared: Prepared; nextBefore?: string | undefined }, find?: FindCached) {
    this.prepared = answer.prepared
    this.nextBefore = answer.nextBefore
    this.find = find
  }
}
