import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Endpoint, ErrorsOf, OutputOf } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { answersOf } from './answers-of.ts'
import { RequestError, send, type Sent } from './request.ts'
import { randomId } from './session-storage.ts'

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

/** A change: each action carries one key on all its retries, so that the server acts once. */
export function useAction<E extends Endpoint, Done extends ErrorsOf<E> = never>(
  endpoint: E,
  { refreshes = [], onSuccess, retries, failure, doneBy }: Acting<E, Done> = {},
) {
  const client = useQueryClient()
  const mutation = useMutation<AnswerOf<E, Done>, Error, Sent<E>>({
    mutationFn: (sent) =>
      send(endpoint, sent).catch((error: unknown) => {
        if (doneBy === undefined || codeOf(error) !== doneBy) throw error
        return error as AnswerOf<E, Done>
      }),
    ...(retries === false && { retry: false }),
    onError: (error) => {
      if (failure !== undefined) console.error(failure, error)
    },
    onSuccess: async (answer) => {
      if (!(answer instanceof RequestError)) onSuccess?.(answer)
      await client.invalidateQueries(answersOf(refreshes))
    },
  })
  const run = (sent: Sent<E> = {}) => mutation.mutateAsync({ idempotencyKey: randomId(), ...sent })

  return {
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
    status: ({ idle: 'idle', pending: 'running', error: 'failed', success: 'idle' } as const)[
      mutation.status
    ],
    error: mutation.error,
    reset: mutation.reset,
  }
}

/** The code of a refusal; null for every other failure. */
export const codeOf = (error: unknown): ErrorCode | null =>
  error instanceof RequestError ? error.code : null

/** The sentence of the server about a refusal, or `otherwise`. */
export const sentenceOf = (error: unknown, otherwise: string): string =>
  (error instanceof RequestError ? error.error : null) ?? otherwise
