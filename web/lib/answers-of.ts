import type { Endpoint } from '#contract/endpoint.ts'

/** Selects the cached answers of some endpoints, whatever their parameters and query. */
export const answersOf = (endpoints: readonly Endpoint[]) => ({
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }) =>
    endpoints.some((endpoint) => isAnswerOf(endpoint, queryKey)),
})

function isAnswerOf({ path }: Endpoint, [cachedPath]: readonly unknown[]): boolean {
  const segments = String(cachedPath).split('?', 1)[0]!.split('/')
  const wanted = path.split('/')
  return (
    segments.length === wanted.length &&
    wanted.every((segment, index) => segment.startsWith(':') || segment === segments[index])
  )
}
