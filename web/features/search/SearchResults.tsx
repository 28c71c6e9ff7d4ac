import { useEffect, useImperativeHandle, type Ref } from 'react'
import { Link, useLocation } from 'wouter'
import { splitAtMatch, type SearchResult } from './search.ts'
import { listFeedRooms } from '#contract/rooms/endpoints.ts'
import { search } from '#contract/search/endpoints.ts'
import { searchPathFor } from '#contract/search/paths.ts'
import { isSearchable } from '#contract/search/query.ts'
import { sentenceOf, useEndpoint } from '#web/lib/api.ts'
import { useSettled } from '#web/lib/use-settled.ts'
import { cx } from '#web/ui/cx.ts'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { type FoundGroup, type FoundThing, groupsOf } from './found.ts'
import { Marked } from '#web/ui/Marked.tsx'
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

/** Results among the things that the page has loaded, whose details open at once, those of the server, and samples last. */
export function SearchResults({ ref, id, query, isOpen, activeId, onActive, onChosen }: SearchResultsProps) {
  const rooms = useEndpoint(listFeedRooms, { enabled: isOpen, retry: false })
  const { results, show, isDone } = useSearch(isOpen ? query : '', rooms.status === 'ready' ? rooms.data : [])
  const { groups, others, found, isSearching } = useFoundGroups(isOpen ? query : '', results)
  const [, navigate] = useLocation()

  const choose = (result: SearchResult) => {
    onChosen()
    show(result)
  }
  const open = (href: string) => {
    onChosen()
    navigate(href)
  }
  const loaded = others.filter(({ type }) => type !== 'creator')
  const samples = others.filter(({ type }) => type === 'creator')
  const optionOf = (result: SearchResult) => ({ id: `${id}-${result.id}`, choose: () => choose(result) })
  const options = [
    ...loaded.map(optionOf),
    ...groups.flatMap(({ things }) =>
      things.map((thing) => ({ id: `${id}-${thing.id}`, choose: () => open(thing.href) })),
    ),
    ...samples.map(optionOf),
  ]
  const draw = (result: SearchResult) => {
    const optionId = `${id}-${result.id}`
    return (
      <button
        key={optionId}
        id={optionId}
        type="button"
        role="option"
        aria-selected={optionId === activeId}
        tabIndex={-1}
        onClick={() => choose(result)}
        className={optionClass(optionId === activeId)}
      >
        <span className="flex items-baseline justify-between gap-3">
          <span dir="auto" className="truncate text-sm font-medium">
            <MarkedByQuery text={result.title} query={query} />
          </span>
          <span className="shrink-0 text-xs text-ink-soft">{typeNames[result.type]}</span>
        </span>
        <span dir="auto" className="line-clamp-2 font-serif text-sm text-ink-soft">
          <MarkedByQuery text={result.snippet} query={query} />
        </span>
      </button>
    )
  }
  const allPath = searchPathFor(query)
  const maySearchAll = isSearchable(query)
  useImperativeHandle(ref, () => ({
    move: (by) => {
      const at = options.findIndex((option) => option.id === activeId)
      // Without a chosen result the key up leads to the last one.
      const next = options.at(at === -1 && by === -1 ? -1 : (at + by) % options.length)
      onActive(next?.id ?? null)
    },
    choose: () => {
      const active = options.find((option) => option.id === activeId)
      if (active) active.choose()
      else if (maySearchAll) open(allPath)
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
      className="absolute inset-x-0 top-full z-30 max-h-[calc(100dvh-var(--header)-var(--bottom-bar,3rem))] overflow-y-auto overscroll-contain border-y border-line bg-surface p-2 text-ink shadow-float md:mt-1 md:max-h-[70dvh] md:min-w-96 md:rounded-lg md:border-x"
    >
      <div id={id} role="listbox" aria-label="Search results">
        {isDone && !isSearching && found.status !== 'failed' && options.length === 0 && (
          <div role="option" aria-selected={false} aria-disabled tabIndex={-1} className="px-3 py-2 text-sm">
            Nothing found for “{query.trim()}”
          </div>
        )}
        {loaded.map(draw)}
        {groups.map((group) => (
          <Group key={group.kind} group={group} id={id} activeId={activeId} onChosen={onChosen} />
        ))}
        {samples.map(draw)}
      </div>
      <output className="sr-only">{options.length === 1 ? '1 result' : `${options.length} results`}</output>
      {isSearching && maySearchAll && (
        <p className="px-3 py-2 text-sm text-ink-soft">Searching everything…</p>
      )}
      {maySearchAll && !isSearching && found.status === 'ready' && options.length > 0 && (
        <Link
          href={allPath}
          onClick={onChosen}
          className="touch mt-1 block rounded-md border-t border-line px-3 py-2 text-sm text-lamp hover:underline"
        >
          All results and filters
        </Link>
      )}
      {!isSearching && found.status === 'failed' && (
        <div className="px-3">
          <QuietLine
            text={sentenceOf(found.error, 'Older texts could not be searched.')}
            onTryAgain={found.refetch}
          />
        </div>
      )}
      {rooms.status === 'failed' && (
        <div className="px-3">
          <QuietLine text="Rooms could not be searched." onTryAgain={() => void rooms.refetch()} />
        </div>
      )}
    </div>
  )
}

/**
 * What the server finds once the person pauses, and the `others`: the results of the page that it adds to. A post that both
 * have found is a result of the server, which opens the article.
 */
function useFoundGroups(query: string, results: readonly SearchResult[]) {
  const text = query.trim()
  const sought = useSettled(text, '')
  const isLongEnough = isSearchable(sought)
  const found = useEndpoint(search, {
    query: { q: sought },
    enabled: isLongEnough && text !== '',
    retry: false,
    staleTime: 0,
  })
  const isSearching = text !== sought || (isLongEnough && found.status === 'loading')
  const groups = isSearching || found.status !== 'ready' || !isLongEnough ? [] : groupsOf(found.data)
  const foundPosts = new Set(
    groups.flatMap(({ kind, things }) => (kind === 'posts' ? things : [])).map(({ id }) => id),
  )
  const others = results.filter(({ type, id }) => type !== 'post' || !foundPosts.has(id))
  const shown = new Set(others.map(({ id }) => id))
  return {
    found,
    isSearching: text !== '' && isSearching,
    others,
    groups: groups
      .map((group) => ({ ...group, things: group.things.filter((thing) => !shown.has(thing.id)) }))
      .filter(({ things }) => things.length > 0),
  }
}

interface GroupProps {
  group: FoundGroup
  id: string
  activeId: string | null
  onChosen: () => void
}

function Group({ group: { kind, name, things }, id, activeId, onChosen }: GroupProps) {
  const headingId = `${id}-${kind}`
  return (
    <div
      role="group"
      aria-labelledby={headingId}
      className="mt-2 border-t border-line pt-2 first:mt-0 first:border-0 first:pt-0"
    >
      <p id={headingId} className="px-3 pb-1 text-xs font-semibold text-ink-soft">
        {name}
      </p>
      {things.map((thing) => {
        const optionId = `${id}-${thing.id}`
        return (
          <Link
            key={optionId}
            id={optionId}
            href={thing.href}
            role="option"
            aria-selected={optionId === activeId}
            tabIndex={-1}
            onClick={onChosen}
            className={optionClass(optionId === activeId)}
          >
            <Texts thing={thing} />
          </Link>
        )
      })}
    </div>
  )
}

const Texts = ({ thing: { title, author, line } }: { thing: FoundThing }) => (
  <>
    <span dir="auto" className="block truncate text-sm font-medium">
      <Marked {...title} />
      {author !== undefined && ` · ${author}`}
    </span>
    <span dir="auto" className="line-clamp-2 font-serif text-sm text-ink-soft">
      <Marked {...line} />
    </span>
  </>
)

const optionClass = (isActive: boolean) =>
  cx(
    'touch block w-full rounded-md px-3 py-2 text-start hover:bg-sunk',
    isActive && 'bg-sunk outline-2 outline-lamp',
  )

function MarkedByQuery({ text, query }: { text: string; query: string }) {
  const parts = splitAtMatch(text, query)
  if (!parts) return text
  const [before, match] = parts
  return <Marked text={text} marks={[{ from: before.length, to: before.length + match.length }]} />
}

const typeNames = { post: 'Post', author: 'Author', creator: 'Creator', room: 'Room' }
