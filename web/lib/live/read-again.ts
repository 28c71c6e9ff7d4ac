import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Reads answers in the cache again. A first read that is under way goes on, although the server may have answered it before a
 * change. Such an answer is read again after it has come.
 */
export function readAgain(client: QueryClient, filters: QueryFilters): void {
  for (const { queryKey, state, promise } of client.getQueryCache().findAll(filters))
    if (state.data === undefined)
      // Several changes during one first read make one request.
      promise?.then(
        () => client.invalidateQueries({ queryKey }, { cancelRefetch: false }),
        () => {},
      )
  void client.invalidateQueries(filters)
}
