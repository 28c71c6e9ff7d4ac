import type { Call } from './handle.ts'
import type { LimitRule } from '../bounds/limits.ts'

/** The searches of an admin, of posts and of people. A page of a list and its count are two calls of one search. */
const searches: LimitRule = { name: 'admin-search', count: 120, seconds: 60, by: 'person' }

/** The text that the admin searches for; undefined for a plain list. A search costs more than the list, so it has a limit. */
export async function searchedText({
  query,
  limit,
}: {
  query: { q?: string | undefined }
  limit: Call['limit']
}): Promise<string | undefined> {
  const text = query.q?.trim()
  if (!text) return undefined
  await limit(searches)
  return text
}
