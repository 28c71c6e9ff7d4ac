import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { SearchInput } from '#web/ui/SearchInput.tsx'
import { cx } from '#web/ui/cx.ts'
import { searchPath } from './path.ts'
import { setQuery, useDiaryQuery } from './search/query.ts'

interface SearchFieldProps {
  owner: string
  /** Whether the results are shown. Elsewhere a phone has no room for the field. */
  isSearching: boolean
}

const queryMaxLength = 200

/** Typing leads to the results. */
export function SearchField({ owner, isSearching }: SearchFieldProps) {
  const query = useDiaryQuery(owner)
  const [, go] = useLocation()
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // A person who comes back to the results reads them. On a phone the keyboard would cover them.
    const isReading = field.current?.value !== '' && matchMedia('(pointer: coarse)').matches
    if (isSearching && !isReading) field.current?.focus()
  }, [isSearching])

  const change = (next: string) => {
    setQuery(owner, next)
    if (!isSearching) go(searchPath)
  }
  return (
    <search
      className={cx(
        'relative min-w-0 flex-1 sm:ms-auto sm:max-w-64',
        isSearching ? 'max-sm:order-last max-sm:basis-full' : 'max-sm:hidden',
      )}
    >
      <SearchInput
        ref={field}
        type="text"
        aria-label="Search your diary"
        placeholder="Search your diary"
        maxLength={queryMaxLength}
        enterKeyHint="search"
        value={query}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.nativeEvent.isComposing) setQuery(owner, '')
        }}
      />
    </search>
  )
}
