import type { FormEvent } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { categories } from '#contract/feed/categories.ts'
import { authorNameMaxLength, tagMaxLength } from '#contract/feed/post.ts'
import { search } from '#contract/search/endpoints.ts'
import type { LengthClass } from '#contract/search/length.ts'
import { searchPath } from '#contract/search/paths.ts'
import {
  foundMax,
  isSearchable,
  searchedTextMaxLength,
  searchedTextMinLength,
  searchKinds,
} from '#contract/search/query.ts'
import { sentenceOf, useEndpoint } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Time } from '#web/lib/Time.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { SearchInput } from '#web/ui/SearchInput.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { Skeletons } from '#web/ui/Skeletons.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { type FoundGroup, type FoundThing, groupsOf, kindNames } from './found.ts'
import { Marked } from '#web/ui/Marked.tsx'

/** What the address of the page may name beside the text. */
const filters = ['kind', 'author', 'tag', 'category', 'form', 'length', 'from', 'to', 'order'] as const
const lengthNames: Record<LengthClass, string> = { short: 'Short', medium: 'Some pages', long: 'Long' }
const formNames = { verse: 'Verse', prose: 'Prose' }
const filterNames = {
  kind: 'Kind',
  author: 'Author',
  tag: 'Tag',
  category: 'Category',
  form: 'Form',
  length: 'Length',
  from: 'From',
  to: 'To',
}

/** The address with these values. Empty ones are left out. */
function addressOf(values: Record<string, string>): string {
  const named = Object.entries(values).filter(([, value]) => value.trim() !== '')
  return `${searchPath}?${new URLSearchParams(named).toString()}`
}

/** The names of the values of these filters. The values of the others are written as they are. */
const valueNames: Record<string, Record<string, string>> = {
  kind: kindNames,
  form: formNames,
  length: lengthNames,
}

/** Everything that the address names, by name. */
const valuesIn = (address: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(address)].filter(([name]) => isKnown(name)))
const isKnown = (name: string) => name === 'q' || name === 'before' || filters.some((one) => one === name)

/** Finds texts, people, rooms and stories. The address holds the whole search, so that it can be linked to. */
export function SearchPage() {
  const address = useSearch()
  const values = valuesIn(address)
  const { q = '' } = values
  usePageTitle(q === '' ? 'Search' : `Search for ${q}`)
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <h1 className="text-2xl">Search</h1>
      <SearchForm key={address} values={values} />
      {q.trim() !== '' &&
        (isSearchable(q) ? (
          <Results values={values} />
        ) : (
          <p className="text-sm text-ink-soft">Please type at least {searchedTextMinLength} characters.</p>
        ))}
    </div>
  )
}

function SearchForm({ values }: { values: Record<string, string> }) {
  const [, navigate] = useLocation()
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = Object.fromEntries(
      [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    )
    navigate(addressOf({ kind: values['kind'] ?? '', ...typed }))
  }
  const choice = (name: string) => ({
    name,
    defaultValue: values[name] ?? '',
    onChange: (_: string, select: HTMLSelectElement) => select.form?.requestSubmit(),
  })
  return (
    <search aria-label="All texts">
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <div className="flex gap-2">
          <div className="relative min-w-0 flex-1">
            <SearchInput
              type="text"
              name="q"
              aria-label="Words or a phrase in quotes"
              enterKeyHint="search"
              maxLength={searchedTextMaxLength}
              defaultValue={values['q'] ?? ''}
            />
          </div>
          <Button type="submit">Search</Button>
        </div>
        <details open={filters.some((name) => name !== 'kind' && values[name] !== undefined)}>
          <summary className="touch w-fit cursor-pointer py-1 text-sm text-ink-soft hover:text-ink">
            Filters and order
          </summary>
          <div className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
            <TextField
              label="Author"
              name="author"
              maxLength={authorNameMaxLength}
              defaultValue={values['author'] ?? ''}
            />
            <TextField label="Tag" name="tag" maxLength={tagMaxLength} defaultValue={values['tag'] ?? ''} />
            <SelectField
              label="Category"
              options={[{ value: '', label: 'All' }, ...categories]}
              {...choice('category')}
            />
            <SelectField label="Form" options={optionsOf(formNames)} {...choice('form')} />
            <SelectField label="Length" options={optionsOf(lengthNames)} {...choice('length')} />
            <TextField label="From" name="from" type="date" defaultValue={values['from'] ?? ''} />
            <TextField label="To" name="to" type="date" defaultValue={values['to'] ?? ''} />
            <SelectField
              label="Order"
              options={[
                { value: '', label: 'Best match first' },
                { value: 'time', label: 'Newest first' },
              ]}
              {...choice('order')}
            />
          </div>
        </details>
      </form>
    </search>
  )
}

const optionsOf = (names: Record<string, string>) => [
  { value: '', label: 'All' },
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
]

function Results({ values }: { values: Record<string, string> }) {
  const { kind } = values
  const limit = kind === undefined ? {} : { limit: String(foundMax) }
  // The server refuses a value that does not exist, and says so.
  const found = useEndpoint(search, {
    query: { ...values, ...limit } as { q: string },
    retry: false,
    staleTime: 0,
  })
  const { before: _, ...chosen } = values
  const tabs = [
    { name: 'All', href: addressOf({ ...chosen, kind: '' }), isCurrent: kind === undefined },
    ...searchKinds.map((one) => ({
      name: kindNames[one],
      href: addressOf({ ...chosen, kind: one }),
      isCurrent: kind === one,
    })),
  ]
  return (
    <>
      <nav aria-label="Kinds of results" className="flex flex-wrap gap-2">
        {tabs.map(({ name, href, isCurrent }) => (
          <Link
            key={name}
            href={href}
            aria-current={isCurrent ? 'page' : undefined}
            className={cx(
              'touch inline-flex items-center rounded-full border px-3 py-1 text-sm',
              isCurrent ? 'border-lamp text-lamp' : 'border-line text-ink-soft hover:text-ink',
            )}
          >
            {name}
          </Link>
        ))}
      </nav>
      {found.status === 'loading' && <Skeletons count={4} each="h-20" className="flex flex-col gap-3" />}
      {found.status === 'failed' && (
        <FailedState
          text={sentenceOf(found.error, 'The search failed. Check the connection and try again.')}
          onTryAgain={found.refetch}
        />
      )}
      {found.status === 'ready' && <Groups groups={groupsOf(found.data)} values={values} />}
    </>
  )
}

function Groups({ groups, values }: { groups: FoundGroup[]; values: Record<string, string> }) {
  if (groups.length === 0)
    return values['before'] === undefined ? (
      <NothingFound values={values} />
    ) : (
      <EmptyState text="No further results" />
    )
  return groups.map((group) => {
    const headingId = `found-${group.kind}`
    const isOnly = values['kind'] !== undefined
    const older = addressOf({ ...values, kind: group.kind, before: group.nextBefore ?? '' })
    return (
      <section key={group.kind} aria-labelledby={headingId}>
        <h2 id={headingId} className="mb-2 text-xl font-semibold">
          {group.name}
        </h2>
        {group.things.length === 0 && (
          <p className="text-sm text-ink-soft">
            None among the newest texts. Older ones are not searched yet.
          </p>
        )}
        <ul className="flex flex-col divide-y divide-line">
          {group.things.map((thing) => (
            <FoundItem key={thing.id} thing={thing} />
          ))}
        </ul>
        {group.nextBefore !== null && (
          <Link
            href={isOnly ? older : addressOf({ ...values, kind: group.kind })}
            className="touch mt-2 inline-block py-2 text-sm text-lamp hover:underline"
          >
            {isOnly ? 'More results' : `All ${group.name.toLowerCase()}`}
          </Link>
        )}
      </section>
    )
  })
}

/** Names the filters, because they may be why nothing was found. */
function NothingFound({ values }: { values: Record<string, string> }) {
  const { q = '', order = '' } = values
  const named = Object.entries(filterNames).flatMap(([name, label]) => {
    const value = values[name]
    return value === undefined ? [] : [`${label}: ${valueNames[name]?.[value] ?? value}`]
  })
  return (
    <EmptyState
      text={
        <>
          Nothing found for “{q.trim()}”
          {named.length > 0 && (
            <span className="block text-base wrap-anywhere">with these filters: {named.join(', ')}</span>
          )}
        </>
      }
      action={
        named.length > 0 && (
          <Link href={addressOf({ q, order })} className={buttonClass('quiet')}>
            Clear filters
          </Link>
        )
      }
    />
  )
}

const FoundItem = ({ thing: { href, title, author, line, publishedAt } }: { thing: FoundThing }) => (
  <li className="py-3">
    <Link href={href} className="group block rounded-md">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span dir="auto" className="min-w-0 font-medium wrap-anywhere group-hover:text-lamp">
          <Marked {...title} />
          {author !== undefined && <span className="font-normal text-ink-soft"> · {author}</span>}
        </span>
        {publishedAt !== undefined && (
          <span className="text-xs text-ink-soft">
            <Time at={publishedAt} />
          </span>
        )}
      </span>
      <span dir="auto" className="mt-0.5 block font-serif wrap-anywhere text-ink-soft empty:hidden">
        <Marked {...line} />
      </span>
    </Link>
  </li>
)
