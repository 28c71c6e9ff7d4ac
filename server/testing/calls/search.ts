import { search } from '#contract/search/endpoints.ts'
import { type CallRow, everyone, row } from './row.ts'

export const searchCalls: readonly CallRow[] = [
  row(search, everyone, () => ({
    query: {
      q: 'known',
      kind: 'posts',
      author: 'Known',
      tag: 'Night',
      category: 'Poetry',
      form: 'verse',
      length: 'short',
      from: '2025-01-01',
      to: '2025-12-31',
      order: 'time',
      limit: '20',
    },
  })),
]
