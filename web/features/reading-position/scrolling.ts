import { readingMinutes } from '#contract/feed/reading-time.ts'
import { positionAt, type ReadingPosition, topOf } from './position.ts'

const keepEveryMs = 300
const holdMs = 2000
const longMinutes = 3
const longScreens = 3

interface Reading {
  /** The position at which the text is opened. */
  position: ReadingPosition | undefined
  /**
   * Called again and again with the position that is read: without a position at the beginning, at the end, and in a text
   * that is not long.
   */
  keep: (position: ReadingPosition | undefined) => void
  /** Called on each scroll that is more than half a screen from where the text was opened. */
  onReadOn: () => void
}

/**
 * Scrolls the text so that the line the reader left is just below `notice`, and again when fonts, focus or the browser move
 * it, until the reader acts or two seconds have passed. Without a position, or after that, it follows what is read.
 */
export function followReading(notice: HTMLElement, { position, keep, onReadOn }: Reading): () => void {
  const text = textElementBeside(notice)
  const scroller = scrollerOf(notice)
  const listening = new AbortController()
  const listen = { signal: listening.signal, capture: true, passive: true }
  let isHeld = position !== undefined
  let openedTop = 0
  let keptTop = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const put = () => {
    const top = position && topOf(text, position)
    if (top === undefined) return
    if (Math.abs(top - edgeOf(notice)) >= 1) scroller.scrollTop += top - edgeOf(notice)
    openedTop = keptTop = scroller.scrollTop
  }
  const keepNow = () => {
    clearTimeout(timer)
    timer = undefined
    keptTop = scroller.scrollTop
    // A hidden text has no height.
    if (text.offsetHeight > 0) keep(positionRead(notice))
  }
  // The last scrolling may not have been reported yet.
  const keepLast = () => scroller.scrollTop !== keptTop && keepNow()
  const onScroll = () => {
    if (isHeld) return put()
    timer ??= setTimeout(keepNow, keepEveryMs)
    if (position && Math.abs(scroller.scrollTop - openedTop) > scroller.clientHeight / 2) onReadOn()
  }
  const release = () => {
    isHeld = false
    sizes.disconnect()
  }
  const sizes = new ResizeObserver(put)
  const holding = setTimeout(release, holdMs)
  if (isHeld) sizes.observe(text)
  put()
  // The reader may have scrolled before the scripts worked.
  if (!isHeld && scroller.scrollTop > 0) timer = setTimeout(keepNow, keepEveryMs)
  document.addEventListener('scroll', onScroll, listen)
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    document.addEventListener(act, release, listen)
  document.addEventListener('visibilitychange', keepLast, listen)
  addEventListener('pagehide', keepLast, listen)
  return () => {
    keepLast()
    clearTimeout(timer)
    clearTimeout(holding)
    listening.abort()
    sizes.disconnect()
  }
}

/** The element that scrolls the text: the dialog around it, or the page. */
export const scrollerOf = (notice: HTMLElement): Element =>
  notice.closest('[role=dialog]') ?? document.documentElement

const textElementBeside = (notice: HTMLElement) =>
  notice.parentElement!.querySelector<HTMLElement>('[data-long-text]')!

/** Where the text begins to be in sight, below the notice and what else stays at the top. In pixels of the window. */
const edgeOf = (notice: HTMLElement) => (parseFloat(getComputedStyle(notice).top) || 0) + notice.scrollHeight

function positionRead(notice: HTMLElement): ReadingPosition | undefined {
  const text = textElementBeside(notice)
  const { clientHeight } = scrollerOf(notice)
  const { top, bottom, height } = text.getBoundingClientRect()
  const edge = edgeOf(notice)
  const isInMiddle = edge - top > clientHeight / 2 && bottom > clientHeight
  const isLong = height > longScreens * clientHeight || readingMinutes(text.textContent) >= longMinutes
  return isInMiddle && isLong ? positionAt(text, edge) : undefined
}
