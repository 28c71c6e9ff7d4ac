import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Reads the matching lists of the cache again after a change. A list that is being read for the first time has nothing to show
 * yet, so that this read goes on. Its answer may be from before the change: then the list is read once more.
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
