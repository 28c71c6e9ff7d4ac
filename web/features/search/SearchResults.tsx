import { useEffect, useImperativeHandle, type Ref } from 'react'
import { splitAtMatch, type SearchResult } from './search.ts'
import { listFeedRooms } from '#contract/rooms/endpoints.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { cx } from '#web/ui/cx.ts'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { useSearch } from './use-search.ts'

/** The actions of the keys that are pressed in the box. */
export interface ResultsHandle {
  move: (by: 1 | -1) => void
  choose: () => void
}

interface SearchResultsProps {
  ref: Ref<ResultsHandle>
  id: string
  query: string
  isOpen: boolean
  /** The id of the option that the arrow keys have reached. */
  activeId: string | null
  onActive: (optionId: string | null) => void
  onChosen: () => void
}

export function SearchResults({ ref, id, query, isOpen, activeId, onActive, onChosen }: SearchResultsProps) {
  const rooms = useEndpoint(listFeedRooms, { enabled: isOpen, retry: false })
  const { results, show, isDone } = useSearch(isOpen ? query : '', rooms.status === 'ready' ? rooms.data : [])
  const optionIdOf = (result: SearchResult) => `${id}-${result.type}-${result.id}`

  const choose = (result: SearchResult) => {
    onChosen()
    show(result)
  }
  useImperativeHandle(ref, () => ({
    move: (by) => {
      const at = results.findIndex((result) => optionIdOf(result) === activeId)
      // Without a chosen result the key up leads to the last one.
      const next = results.at(at === -1 && by === -1 ? -1 : (at + by) % results.length)
      onActive(next ? optionIdOf(next) : null)
    },
    choose: () => {
      const active = results.find((result) => optionIdOf(result) === activeId)
      if (active) choose(active)
    },
  }))
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  if (!isOpen) return null
  return (
    <div
      role="presentation"
      // The focus stays in the box: the list closes when the box loses it.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-full z-30 max-h-[calc(100dvh-3.5rem-var(--bottom-bar,3rem))] overflow-y-auto overscroll-contain border-y border-line bg-surface p-2 text-ink shadow-float md:mt-1 md:max-h-[70dvh] md:min-w-96 md:rounded-lg md:border-x"
    >
      <div id={id} role="listbox" aria-label="Search results">
        {isDone && results.length === 0 && (
          <div role="option" aria-selected={false} aria-disabled tabIndex={-1} className="px-3 py-2 text-sm">
            Nothing found for “{query.trim()}”
          </div>
        )}
        {results.map((result) => {
          const optionId = optionIdOf(result)
          return (
            <button
              key={optionId}
              id={optionId}
              type="button"
              role="option"
              aria-selected={optionId === activeId}
              tabIndex={-1}
              onClick={() => choose(result)}
              className={cx(
                'touch block w-full rounded-md px-3 py-2 text-start hover:bg-sunk',
                optionId === activeId && 'bg-sunk outline-2 outline-lamp',
              )}
            >
              <span className="flex items-baseline justify-between gap-3">
                <span dir="auto" className="truncate text-sm font-medium">
                  <Marked text={result.title} query={query} />
                </span>
                <span className="shrink-0 text-xs text-ink-soft">{typeNames[result.type]}</span>
              </span>
              <span dir="auto" className="line-clamp-2 font-serif text-sm text-ink-soft">
                <Marked text={result.snippet} query={query} />
              </span>
            </button>
          )
        })}
      </div>
      <output className="sr-only">{results.length === 1 ? '1 result' : `${results.length} results`}</output>
      {rooms.status === 'failed' && (
        <div className="px-3">
          <QuietLine text="Rooms could not be searched." onTryAgain={() => void rooms.refetch()} />
        </div>
      )}
    </div>
  )
}

function Marked({ text, query }: { text: string; query: string }) {
  const parts = splitAtMatch(text, query)
  if (!parts) return text
  const [before, match, after] = parts
  return (
    <>
      {before}
      <mark className="bg-glow font-semibold text-ink underline decoration-lamp underline-offset-2">
        {match}
      </mark>
      {after}
    </>
  )
}

const typeNames = { post: 'Post', author: 'Author', creator: 'Creator', room: 'Room' }
