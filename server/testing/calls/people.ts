import { getPerson, listPersonPosts, listPersonStories } from '#contract/people/endpoints.ts'
import { type CallRow, everyone, row } from './row.ts'

export const peopleCalls: readonly CallRow[] = [
  row(getPerson, { ...everyone, blocked: 404 }, ({ known }) => ({ params: { id: known.id } })),
  row(listPersonPosts, { ...everyone, blocked: 404 }, ({ known }) => ({
    params: { id: known.id },
    query: { limit: '50' },
  })),
  row(listPersonStories, { ...everyone, blocked: 404 }, ({ known }) => ({
    params: { id: known.id },
    query: { limit: '50' },
  })),
]
