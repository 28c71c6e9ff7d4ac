import { readingMinutes } from '#contract/feed/reading-time.ts'
import { type Place, placeAt, topOf } from './place.ts'

const readAfterMs = 300
const holdMs = 2000
const longMinutes = 3
const longScreens = 3

interface Reading {
  /** Where the text is opened. */
  place: Place | undefined
  /** Called again and again with the place that is read; without one at the beginning and the end of the text. */
  keep: (place: Place | undefined) => void
  /** Called once half a screen was scrolled from the place where the text was opened. */
  onReadOn: () => void
}

/**
 * Puts the line of the place below the mark, again when fonts, focus or the browser move it, until the reader acts or two
 * seconds have passed. From then on it follows what is read.
 */
export function followReading(mark: HTMLElement, { place, keep, onReadOn }: Reading): () => void {
  const text = textOf(mark)
  const scroller = scrollerOf(mark)
  const listening = new AbortController()
  const listen = { signal: listening.signal, capture: true, passive: true }
  let isHeld = place !== undefined
  let openedAt = 0
  let readAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const put = () => {
    const top = place && topOf(text, place)
    if (top === undefined) return
    if (Math.abs(top - edgeOf(mark)) >= 1) scroller.scrollTop += top - edgeOf(mark)
    openedAt = readAt = scroller.scrollTop
  }
  const read = () => {
    clearTimeout(timer)
    timer = undefined
    readAt = scroller.scrollTop
    // A hidden text has no height.
    if (text.offsetHeight > 0) keep(placeRead(mark))
  }
  // The last scrolling may not have been reported yet.
  const readNow = () => scroller.scrollTop !== readAt && read()
  const onScroll = () => {
    if (isHeld) return put()
    timer ??= setTimeout(read, readAfterMs)
    if (place && Math.abs(scroller.scrollTop - openedAt) > scroller.clientHeight / 2) onReadOn()
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
  if (!isHeld && scroller.scrollTop > 0) timer = setTimeout(read, readAfterMs)
  document.addEventListener('scroll', onScroll, listen)
  for (const act of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    document.addEventListener(act, release, listen)
  document.addEventListener('visibilitychange', readNow, listen)
  addEventListener('pagehide', readNow, listen)
  return () => {
    readNow()
    clearTimeout(timer)
    clearTimeout(holding)
    listening.abort()
    sizes.disconnect()
  }
}

/** The element that scrolls the text: the dialog around it, or the page. */
export const scrollerOf = (mark: HTMLElement): Element =>
  mark.closest('[role=dialog]') ?? document.documentElement

const textOf = (mark: HTMLElement) => mark.parentElement!.querySelector<HTMLElement>('[data-long-text]')!

/** Where the text begins to be in sight, below the mark and what else stays at the top. In pixels of the window. */
const edgeOf = (mark: HTMLElement) => (parseFloat(getComputedStyle(mark).top) || 0) + mark.scrollHeight

function placeRead(mark: HTMLElement): Place | undefined {
  const text = textOf(mark)
  const { clientHeight } = scrollerOf(mark)
  const { top, bottom, height } = text.getBoundingClientRect()
  const edge = edgeOf(mark)
  const isInMiddle = edge - top > clientHeight / 2 && bottom > clientHeight
  const isLong = height > longScreens * clientHeight || readingMinutes(text.textContent) >= longMinutes
  return isInMiddle && isLong ? placeAt(text, edge) : undefined
}
