import { RequestError } from '#web/lib/request.ts'
import type { Pause } from './import-state.ts'

/** Repeats calls that failed for a reason that passes, and tells for which one it waits. */
export class Patience {
  readonly #tell: (pause: Pause | null) => void
  #pause: Pause | null = null
  /** Ends the wait for a sign-in. */
  #signedIn = Promise.withResolvers<void>()

  constructor(tell: (pause: Pause | null) => void) {
    this.#tell = tell
  }

  async wait<T>(call: () => Promise<T>): Promise<T> {
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
  goOn(): void {
    this.#signedIn.resolve()
    this.#signedIn = Promise.withResolvers()
  }

  #set(pause: Pause | null) {
    if (pause === this.#pause) return
    this.#pause = pause
    this.#tell(pause)
  }
}

/** Doubles from a second up to 30. */
const delayMs = (failures: number) => Math.min(1000 * 2 ** failures, 30_000)
const passing = [408, 429, 502, 503, 504]
/** An error of the server may be about one text. */
const failuresMax = 3

function pauseOf(error: unknown, failures: number): Pause | null {
  if (error instanceof TypeError) return 'offline'
  if (!(error instanceof RequestError)) return null
  if (error.status === 401) return 'signed-out'
  if (passing.includes(error.status)) return 'busy'
  return error.status >= 500 && failures < failuresMax ? 'busy' : null
}
