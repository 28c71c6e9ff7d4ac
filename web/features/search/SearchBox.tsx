import { Search } from 'lucide-react'
import { useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { isBlank } from '#contract/text.ts'
import { failedLine, part } from '#web/ui/part.tsx'
import { focusSearch, searchInputId } from './focus-search.ts'
import type { ResultsHandle } from './SearchResults.tsx'

const listId = 'search-results'

/** Only the input is part of the frame. The code that searches is fetched when the box is first used. */
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
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      // Out of an empty box, so that the keys of the page work again.
      if (!query) event.currentTarget.blur()
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
    <search className="block w-full md:relative md:max-w-md" onBlur={onBlur}>
      <label htmlFor={searchInputId} className="sr-only">
        Search
      </label>
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 inset-s-7 my-auto size-4 text-ink-soft md:inset-s-3"
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
        className="well ps-9"
      />
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
    </search>
  )
}

const SearchResults = part(
  async () => (await import('./SearchResults.tsx')).SearchResults,
  (tryAgain, kept, { isOpen }) =>
    isOpen && (
      <div className="absolute inset-x-0 top-full z-30 border border-line bg-surface px-3 shadow-float sm:mt-1 sm:rounded-lg">
        {failedLine(() => {
          // This button has the focus and is removed. Without the focus in the box the list would close.
          focusSearch()
          tryAgain()
        }, kept)}
      </div>
    ),
)
