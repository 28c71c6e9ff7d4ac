import type { Endpoint } from '#contract/endpoint.ts'

/** Whether a cached answer is one of this endpoint, whatever its parameters and query. */
export function isAnswerOf({ path }: Endpoint, [cachedPath]: readonly unknown[]): boolean {
  const segments = String(cachedPath).split('?', 1)[0]!.split('/')
  const wanted = path.split('/')
  return (
    segments.length === wanted.length &&
    wanted.every((segment, index) => segment.startsWith(':') || segment === segments[index])
  )
}
