import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Reads the matching lists of the cache again after a change. The first read of a list is not cancelled, because the list has
 * nothing to show yet. The answer of this read may be from before the change, so the list is then read once more. The promise
 * waits for the lists that a page shows.
 */
export async function readAgain(client: QueryClient, filters: QueryFilters): Promise<void> {
  const firstReads = client
    .getQueryCache()
    .findAll(filters)
    .filter(({ state }) => state.data === undefined)
    .map((query) => {
      const read = query.promise?.then(
        // Several changes during one first read make one request.
        () => client.invalidateQueries({ queryKey: query.queryKey }, { cancelRefetch: false }),
        () => {},
      )
      return query.isActive() ? read : undefined
    })
  await Promise.all([client.invalidateQueries(filters), ...firstReads])
}
