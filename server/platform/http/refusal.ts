import { errors, type ErrorCode, type Refusal } from '#contract/errors.ts'

export interface RefusalDetail {
  fields?: Record<string, string>
  /** The sentence for people, where the one of the code is not precise enough. */
  error?: string
  /** Whole seconds until another try can succeed. */
  retryAfter?: number
  /** Of a conflict: what is stored now, in the shape of `current` of the call. Of `Suspended`: the suspension. */
  current?: unknown
}

/** An expected refusal on its way to the answer. */
export class Refused extends Error {
  readonly code: ErrorCode
  readonly detail: RefusalDetail

  constructor(code: ErrorCode, detail: RefusalDetail = {}) {
    super(code)
    this.code = code
    this.detail = detail
  }

  get status(): number {
    return errors[this.code].status
  }

  get body(): Refusal {
    const { fields, current, error = errors[this.code].error } = this.detail
    return { code: this.code, error, ...(fields && { fields }), ...(current !== undefined && { current }) }
  }
}

/** A refusal that is over in some seconds; callers come back at different moments. */
export const unavailable = () => new Refused('Unavailable', { retryAfter: 1 + Math.floor(Math.random() * 5) })
