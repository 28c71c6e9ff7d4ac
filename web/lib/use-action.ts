import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Endpoint, ErrorsOf, OutputOf } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { answersOf } from './answers-of.ts'
import { readAgain } from './read-again.ts'
import { hasStatus, retryDelay } from './query-client.ts'
import { loggable, RequestError, send, type Sent } from './request.ts'
import { randomId } from './session-keys.ts'

interface Acting<E extends Endpoint, Done extends ErrorsOf<E>> {
  /** Endpoints whose cached answers are out of date after success, whatever their parameters. */
  refreshes?: readonly Endpoint[]
  onSuccess?: (output: OutputOf<E>) => void
  /** False for an action that the server repeats when it is retried. */
  retries?: false
  /** The line in the console about a failure. */
  failure?: string
  /** The refusal that says that the change was made before, for example on another device. It counts as success. */
  doneBy?: Done
}

/** With `doneBy` the answer may be that refusal. */
type AnswerOf<E extends Endpoint, Done> = OutputOf<E> | ([Done] extends [never] ? never : RequestError)

/** Changes are retried up to 2 times, but never after a refusal. */
export const retriesChange = (failures: number, error: Error): boolean =>
  failures < 2 && !hasStatus(error, ['400', '401', '403', '409'])

/** Repeats a change until it succeeds or `retriesChange` forbids another attempt. */
export async function retryChange<T>(change: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++)
    try {
      return await change()
    } catch (error) {
      if (!retriesChange(failures, error as Error)) throw error
      await new Promise((resolve) => setTimeout(resolve, retryDelay(failures)))
    }
}

const idle = { status: 'idle' as 'idle' | 'running' | 'failed', error: null as Error | null }

/** A change: each action carries one key on all its retries, so that the server acts once. */
export function useAction<E extends Endpoint, Done extends ErrorsOf<E> = never>(
  endpoint: E,
  { refreshes = [], onSuccess, retries, failure, doneBy }: Acting<E, Done> = {},
) {
  const client = useQueryClient()
  const [state, setState] = useState(idle)
  const newestRun = useRef(0)
  // The page may have been drawn again before the server answers.
  const onAnswer = useRef(onSuccess)
  useEffect(() => void (onAnswer.current = onSuccess))

  const run = async (sent: Sent<E> = {}): Promise<AnswerOf<E, Done>> => {
    const number = ++newestRun.current
    const show = (next: typeof idle) => newestRun.current === number && setState(next)
    const keyed = { idempotencyKey: randomId(), ...sent }
    const change = () =>
      send(endpoint, keyed).catch((error: unknown) => {
        if (doneBy === undefined || codeOf(error) !== doneBy) throw error
        return error as AnswerOf<E, Done>
      })
    show({ status: 'running', error: null })
    try {
      const answer = await (retries === false ? change() : retryChange(change))
      if (!(answer instanceof RequestError)) onAnswer.current?.(answer)
      await readAgain(client, answersOf(refreshes))
      show(idle)
      return answer
    } catch (error) {
      if (failure !== undefined) console.error(failure, loggable(error))
      show({ status: 'failed', error: error as Error })
      throw error
    }
  }

  return {
    ...state,
    run,
    /** Like `run`, but answers undefined after a failure: `onFailed` shows it, or the caller shows `error`. */
    attempt: async (sent?: Sent<E>, onFailed?: (error: unknown) => unknown) => {
      try {
        return await run(sent)
      } catch (error) {
        await onFailed?.(error)
        return undefined
      }
    },
    reset: () => {
      newestRun.current++
      setState(idle)
    },
  }
}

/** The code of a refusal; null for every other failure. */
export const codeOf = (error: unknown): ErrorCode | null =>
  error instanceof RequestError ? error.code : null

/** The sentence of the server about a refusal, or `otherwise`. */
export const sentenceOf = (error: unknown, otherwise: string): string =>
  (error instanceof RequestError ? error.error : null) ?? otherwise
