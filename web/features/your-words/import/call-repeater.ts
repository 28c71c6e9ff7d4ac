import { RequestError } from '#web/lib/request.ts'
import type { Pause } from './import-state.ts'

/**
 * Repeats calls whose failure may pass: without a network, with a busy server, or until the person has signed in again. `onPause`
 * gets the reason of a wait, and null when it is over.
 */
export class CallRepeater {
  readonly #onPause: (pause: Pause | null) => void
  #pause: Pause | null = null
  /** Ends the wait for a sign-in. */
  #signedIn = Promise.withResolvers<void>()

  constructor(onPause: (pause: Pause | null) => void) {
    this.#onPause = onPause
  }

  /** Calls until the call is answered or refused for good. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures++)
      try {
        const answer = await call()
        this.#set(null)
        return answer
      } catch (error) {
        const pause = pauseOf(error, failures)
        if (pause === null) throw error
        this.#set(pause)
        await (pause === 'signed-out'
          ? this.#signedIn.promise
          : new Promise((resolve) => setTimeout(resolve, delayMs(failures))))
      }
  }

  /** The person has signed in again. */
  goOnSignedIn(): void {
    this.#signedIn.resolve()
    this.#signedIn = Promise.withResolvers()
  }

  #set(pause: Pause | null) {
    if (pause === this.#pause) return
    this.#pause = pause
    this.#onPause(pause)
  }
}

/** Doubles from a second up to 30. */
const delayMs = (failures: number) => Math.min(1000 * 2 ** failures, 30_000)
const temporaryStatuses = [408, 429, 502, 503, 504]
/** An error of the server may be about one text. */
const failuresMax = 3

function pauseOf(error: unknown, failures: number): Pause | null {
  if (error instanceof TypeError) return 'offline'
  if (!(error instanceof RequestError)) return null
  if (error.status === 401) return 'signed-out'
  if (temporaryStatuses.includes(error.status)) return 'busy'
  return error.status >= 500 && failures < failuresMax ? 'busy' : null
}
