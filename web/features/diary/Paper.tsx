import {
  type FocusEvent,
  memo,
  type MouseEvent,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import { isDay } from '#contract/days.ts'
import { paperDate } from '#contract/diary/dates.ts'
import type { DiaryEntry } from '#contract/diary/entry.ts'
import { Marked } from '#web/ui/Marked.tsx'
import { monthOf } from './months.ts'
import { diaryPath, paperPath } from './path.ts'
import { marksOfQuery } from './search/query-marks.ts'

interface PaperProps {
  entries: DiaryEntry[]
  /** The day at which the paper opens; null for its newest entry. */
  day: string | null
  /** The person who opened this day from the search. The words of the query are marked. */
  searcher?: string | undefined
}

/** How many more months are drawn in each step. Drawing years of entries at once would block the page. */
const monthsInStep = 6

/** Months are drawn from the newest to the oldest. A month that is not drawn yet has an estimated height. */
export function Paper({ entries, day, searcher }: PaperProps) {
  const [, go] = useLocation()
  const paper = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState(2)
  const months = monthsOf(entries)
  const target = (day !== null && entries.find(({ entry_date }) => entry_date >= day)) || entries.at(-1)!
  const targetDay = target.entry_date
  const targetMonth = months.findIndex(([month]) => month === monthOf(targetDay))
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const opened = event.currentTarget.dataset['day']!
    // Going back must lead to this entry. The browser would restore a scroll position that is wrong after heights change.
    history.scrollRestoration = 'manual'
    go(paperPath(opened), { replace: true })
    go(diaryPath(opened))
    history.scrollRestoration = 'auto'
  }

  useEffect(() => {
    if (drawn >= months.length) return
    const timer = setTimeout(() => startTransition(() => setDrawn((count) => count + monthsInStep)))
    return () => clearTimeout(timer)
  }, [drawn, months.length])
  useScrollPosition(paper, day === null ? null : targetDay, entries[0]!.entry_date)
  useEffect(() => {
    // The pressed result of the search is gone, and the focus with it.
    if (searcher !== undefined && document.activeElement === document.body) focusHeading(targetDay)
  }, [searcher, targetDay])

  return (
    <div ref={paper} className="paper" onFocus={showFocused}>
      {months.map(([month, ofMonth], i) => (
        <Month
          key={month}
          entries={ofMonth}
          isTarget={i === targetMonth}
          marked={i === targetMonth && searcher !== undefined ? { day: targetDay, searcher } : undefined}
          isDrawn={i >= months.length - drawn || Math.abs(i - targetMonth) <= 1}
          onOpen={open}
        />
      ))}
    </div>
  )
}

/** Scrolls to the entry of a day, or to the newest one, and stays there while older entries are added above. */
function useScrollPosition(paper: { current: HTMLElement | null }, day: string | null, oldestDay: string) {
  const toEnd = useRef(0)
  const shown = useRef<string | null | undefined>(undefined)
  useEffect(() => {
    const remember = () => void (toEnd.current = document.documentElement.scrollHeight - scrollY)
    addEventListener('scroll', remember, { passive: true })
    return () => removeEventListener('scroll', remember)
  }, [])
  useLayoutEffect(() => {
    const isNew = shown.current !== day
    shown.current = day
    const articles = paper.current?.querySelectorAll<HTMLElement>('article')
    if (!isNew) scrollTo(0, document.documentElement.scrollHeight - toEnd.current)
    else if (day === null) showWhole(articles?.item(articles.length - 1))
    else scrollToEntry(day)
    toEnd.current = document.documentElement.scrollHeight - scrollY
  }, [paper, day, oldestDay])
}

/** Shows the end of an entry. An entry that is longer than the window is shown from its beginning. */
function showWhole(article: HTMLElement | undefined) {
  article?.scrollIntoView({ block: 'end' })
  if (article && article.getBoundingClientRect().top < 0) article.scrollIntoView({ block: 'start' })
}

/** Shows the first mark of an entry, or its beginning. */
export function scrollToEntry(day: string): void {
  const entry = document.getElementById(idOf(day))
  const mark = entry?.querySelector('mark')
  if (mark) mark.scrollIntoView({ block: 'center' })
  else entry?.scrollIntoView({ block: 'start' })
}

/** The day of the entry in the middle of the window, or of the one nearest below it; null without a drawn entry. */
export function dayInSight(): string | null {
  const entries = [...document.querySelectorAll('.paper article')]
  const found =
    entries.find((entry) => entry.getBoundingClientRect().bottom > innerHeight / 2) ?? entries.at(-1)
  return found ? found.id.slice(idOf('').length) : null
}

/** Gives the focus to the heading of an entry, and leaves its first mark in sight. */
function focusHeading(day: string) {
  const heading = document.getElementById(idOf(day))?.querySelector('h2')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/**
 * Shows a date that got the focus. The browser scrolls by the estimated heights of the entries above. Lay these entries
 * out first: otherwise they grow afterwards and push the date out of the window.
 */
function showFocused({ target }: FocusEvent<HTMLElement>) {
  if (!(target instanceof HTMLAnchorElement)) return
  let height = 0
  let above = target.closest('article')?.previousElementSibling
  while (above instanceof HTMLElement && height < innerHeight) {
    above.style.contentVisibility = 'visible'
    height += above.offsetHeight
    above = above.previousElementSibling
  }
  target.scrollIntoView({ block: 'nearest' })
}

const idOf = (day: string) => `entry-${day}`

const monthsOf = (entries: DiaryEntry[]) => [...Map.groupBy(entries, ({ entry_date }) => monthOf(entry_date))]

interface MonthProps {
  entries: DiaryEntry[]
  /** Whether the paper opens in this month. Its entries are laid out at once, so that the scroll position is exact. */
  isTarget: boolean
  /** The entry in which the words of the query of this person are marked. */
  marked: { day: string; searcher: string } | undefined
  isDrawn: boolean
  onOpen: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** Renders again only when one of its entries has changed. */
const Month = memo(
  ({ entries, isTarget, marked, isDrawn, onOpen }: MonthProps) =>
    isDrawn ? (
      entries.map(({ entry_date, content }) => (
        <article
          key={entry_date}
          id={idOf(entry_date)}
          className="paper-entry"
          style={
            isTarget
              ? { contentVisibility: 'visible' }
              : { containIntrinsicBlockSize: `auto ${linesOf(content)}lh` }
          }
        >
          <h2>
            {isDay(entry_date) ? (
              <a href={diaryPath(entry_date)} data-day={entry_date} onClick={onOpen}>
                {paperDate(entry_date)}
              </a>
            ) : (
              entry_date
            )}
          </h2>
          <p>
            {marked?.day === entry_date ? (
              <Marked text={content} marks={marksOfQuery(marked.searcher, content)} />
            ) : (
              content
            )}
          </p>
        </article>
      ))
    ) : (
      <div style={{ blockSize: `${heightOf(entries)}lh` }} />
    ),
  (before, after) =>
    before.isTarget === after.isTarget &&
    before.marked?.day === after.marked?.day &&
    before.isDrawn === after.isDrawn &&
    before.entries.length === after.entries.length &&
    before.entries.every((entry, i) => entry === after.entries[i]),
)

const charactersInLine = 68

/** The estimated lines of an entry, with its date. */
const linesOf = (content: string) => Math.ceil(content.length / charactersInLine) + 2

/** In lines. One line is empty below each entry. */
const heightOf = (entries: DiaryEntry[]) =>
  entries.reduce((lines, { content }) => lines + linesOf(content) + 1, 0)
