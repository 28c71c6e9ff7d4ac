import { Search } from 'lucide-react'
import { lazy, Suspense, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { isBlank } from '#contract/text.ts'
import { retried } from '#web/ui/retried.ts'
import { searchInputId } from './focus-search.ts'
import type { ResultsHandle } from './SearchResults.tsx'

const listId = 'search-results'

/** Only the input comes with the frame; what searches is fetched when the box is first used. */
export function SearchBox() {
  const [query, setQuery] = useState('')
  const [isUsed, setIsUsed] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const [activeId, setActiveId] = useState<string | null>(null)
  const results = useRef<ResultsHandle>(null)
  const showsResults = isOpen && !isBlank(query)

  const close = () => {
    setIsOpen(false)
    setActiveId(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      if (!showsResults) setQuery('')
      close()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setIsOpen(true)
      results.current?.move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      results.current?.choose()
    }
  }
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) close()
  }
  return (
    <search className="relative block w-full max-w-md" onBlur={onBlur}>
      <label htmlFor={searchInputId} className="sr-only">
        Search
      </label>
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-ink-soft"
      />
      <input
        id={searchInputId}
        type="text"
        enterKeyHint="search"
        role="combobox"
        aria-expanded={showsResults}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={(showsResults && activeId) || undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Search"
        value={query}
        onFocus={() => setIsUsed(true)}
        onClick={() => setIsOpen(true)}
        onChange={(event) => {
          setQuery(event.target.value)
          setIsOpen(true)
          setActiveId(null)
        }}
        onKeyDown={onKeyDown}
        className="well pl-9"
      />
      <Suspense>
        {isUsed && (
          <SearchResults
            ref={results}
            id={listId}
            query={query}
            isOpen={showsResults}
            activeId={activeId}
            onActive={setActiveId}
            onChosen={close}
          />
        )}
      </Suspense>
    </search>
  )
}

const SearchResults = lazy(
  retried(async () => ({ default: (await import('./SearchResults.tsx')).SearchResults })),
)
