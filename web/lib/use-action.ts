import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Endpoint, OutputOf } from '#contract/endpoint.ts'
import { isAnswerOf } from './is-answer-of.ts'
import { send, type Sent } from './request.ts'
import { randomId } from './session-storage.ts'

interface Acting<E extends Endpoint> {
  /** Endpoints whose cached answers are out of date after success, whatever their parameters. */
  refreshes?: readonly Endpoint[]
  onSuccess?: (output: OutputOf<E>) => void
  /** False for an action that the server repeats when it is retried. */
  retries?: false
}

/** A change: each action carries one key on all its retries, so that the server acts once. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  { refreshes = [], onSuccess, retries }: Acting<E> = {},
) {
  const client = useQueryClient()
  const mutation = useMutation<OutputOf<E>, Error, Sent<E>>({
    mutationFn: (sent) => send(endpoint, sent),
    ...(retries === false && { retry: false }),
    onSuccess: async (output) => {
      onSuccess?.(output)
      await client.invalidateQueries({
        predicate: ({ queryKey }) => refreshes.some((refreshed) => isAnswerOf(refreshed, queryKey)),
      })
    },
  })

  return {
    run: (sent: Sent<E> = {}): Promise<OutputOf<E>> =>
      mutation.mutateAsync({ idempotencyKey: randomId(), ...sent }),
    status: ({ idle: 'idle', pending: 'running', error: 'failed', success: 'idle' } as const)[
      mutation.status
    ],
    error: mutation.error,
    reset: mutation.reset,
  }
}
