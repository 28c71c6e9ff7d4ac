import { type ArchiveCalls, isGoneOrDamaged, type Sending } from '#contract/archive/calls.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { retryDelay } from '#web/lib/query-client.ts'
import { refusalOf, RequestError } from '#web/lib/request.ts'

/** How a long export waits and tries again. */
export interface RetryOptions {
  signal: AbortSignal
  /** Gets the seconds that the server asks to wait, and null when they are over. */
  onWait: (seconds: number | null) => void
  /** In place of a session. */
  token: string | undefined
  /** Resolves when the person has signed in again. */
  signInAgain: () => Promise<void>
}

const failuresMax = 5

/**
 * The calls of an archive as requests. A long export meets limits, pauses of the network and the end of the session: it
 * waits as long as the server says, tries again, and asks to sign in.
 */
export function callsOverNetwork({ signal, onWait, token, signInAgain }: RetryOptions): ArchiveCalls {
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` }

  /** Undefined means that the thing is gone or damaged. */
  async function ask<Body>(
    endpoint: Endpoint,
    sent: Sending,
    bodyOf: (answer: Response) => Promise<Body>,
  ): Promise<{ answer: Response; body: Body } | undefined> {
    for (let failures = 0; ;) {
      try {
        const answer = await fetch(pathOf(endpoint, sent), { credentials: 'same-origin', headers, signal })
        if (answer.ok) return { answer, body: await bodyOf(answer) }
        const refusal = await refusalOf(answer)
        if (isGoneOrDamaged(refusal)) return undefined
        if (refusal.status === 401 && token === undefined) await signInAgain()
        else if (refusal.status === 429) await waitAsTold(answer)
        else if (!isPassing(refusal) || ++failures > failuresMax) throw refusal
        else await waitAsTold(answer, failures)
      } catch (error) {
        if (signal.aborted || error instanceof RequestError || ++failures > failuresMax) throw error
        // The network was away, also in the middle of an answer.
        await pause(retryDelay(failures), signal)
      }
    }
  }

  async function waitAsTold(answer: Response, failures = 0) {
    const told = Number(answer.headers.get('retry-after'))
    const seconds = told > 0 ? told : retryDelay(failures) / 1000
    for (let left = seconds; left > 0; left--) {
      onWait(Math.ceil(left))
      await pause(Math.min(left, 1) * 1000, signal)
    }
    onWait(null)
  }

  return {
    async read(endpoint, sent) {
      const found = await ask(endpoint, sent, (answer) => answer.json())
      return found && { output: found.body, nextBefore: found.answer.headers.get('next-before') ?? undefined }
    },
    readFile: async (endpoint, sent) =>
      (await ask(endpoint, sent, async (answer) => new Uint8Array(await answer.arrayBuffer())))?.body,
  }
}

/** Whether a refusal is over after a while. The diary stays locked until the server has its key. */
const isPassing = ({ status, code }: RequestError) => status >= 500 && code !== 'DiaryLocked'

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener(
    'abort',
    () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    },
    { once: true },
  )
  return promise
}
