import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { SentQuery } from '#contract/endpoint.ts'
import { listAdminPosts } from '#contract/feed/review/endpoints.ts'
import { Button } from '#web/ui/Button.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useOnePage } from './api.ts'
import { PostList } from './PostList.tsx'

type Filter = Pick<SentQuery<typeof listAdminPosts>, 'status' | 'isVisible'>

const filters: readonly { label: string; filter: Filter }[] = [
  { label: 'All', filter: {} },
  { label: 'Published', filter: { status: 'published', isVisible: 'true' } },
  { label: 'Hidden', filter: { status: 'published', isVisible: 'false' } },
  { label: 'Waits for review', filter: { status: 'pending', isVisible: 'true' } },
  { label: 'Set aside', filter: { status: 'pending', isVisible: 'false' } },
]

export function AllPosts() {
  const [typed, setTyped] = useState('')
  const [q, setQ] = useState('')
  const [state, setState] = useState('All')
  const { filter } = filters.find(({ label }) => label === state)!
  const search = (event: FormEvent) => {
    event.preventDefault()
    setQ(typed.trim())
  }
  return (
    <section aria-labelledby="all-posts" className="flex flex-col gap-4">
      <h2 id="all-posts" className="text-xl font-semibold">
        All posts
      </h2>
      <search>
        <form onSubmit={search} className="flex flex-wrap items-end gap-3">
          <div className="min-w-56 flex-1">
            <TextField
              label="Text or author"
              type="search"
              maxLength={64}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
          <SelectField
            label="State"
            options={filters.map(({ label }) => label)}
            value={state}
            onChange={setState}
          />
          <Button type="submit" variant="quiet">
            <Search aria-hidden className="size-4" />
            Search
          </Button>
        </form>
      </search>
      <Found key={`${state} ${q}`} query={{ ...filter, ...(q && { q }), limit: '50' }} />
    </section>
  )
}

const Found = ({ query }: { query: SentQuery<typeof listAdminPosts> }) => (
  <PostList
    label="found posts"
    page={useOnePage(listAdminPosts, query)}
    empty={query.q ? 'No post contains this text' : 'There are no such posts'}
  />
)
