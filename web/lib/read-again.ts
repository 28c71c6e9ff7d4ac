import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Reads the matching lists of the cache again after a change. A list that is being read for the first time has nothing to show
 * yet, so that this read goes on. Its answer may be from before the change: then the list is read once more.
 */
export async function readAgain(client: QueryClient, filters: QueryFilters): Promise<void> {
  const firstReads = client
    .getQueryCache()
    .findAll(filters)
    .filter(({ state }) => state.data === undefined)
    .map(({ queryKey, promise }) =>
      // Several changes during one first read make one request.
      promise?.then(
        () => client.invalidateQueries({ queryKey }, { cancelRefetch: false }),
        () => {},
      ),
    )
  await Promise.all([client.invalidateQueries(filters), ...firstReads])
}
