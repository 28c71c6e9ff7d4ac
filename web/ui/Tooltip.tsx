import { useEffect, useRef, useState, type FocusEvent, type PointerEvent, type ReactElement } from 'react'
import { createPortal } from 'react-dom'

export type Side = 'top' | 'left'

interface TooltipProps {
  /** Repeats the accessible name of the element: no text is in a tooltip only. */
  text: string
  side?: Side
  children: ReactElement
}

const openDelayMs = 700
const skipDelayMs = 300
const roomPx = 8

// Shared by all tooltips: when the pointer soon moves to a neighbour, that tooltip opens without a delay.
let lastClosedAt = -Infinity

/** The library's tooltip does the same for 14 KB, too much for the first page. */
export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  const [anchor, setAnchor] = useState<DOMRect | null>(null)
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)

  const close = () => {
    clearTimeout(opening.current)
    // At once: the same event of the browser may enter the neighbour.
    if (anchor) lastClosedAt = Date.now()
    setAnchor(null)
  }
  const openFor = (element: Element, delayMs: number) => {
    const target = element.firstElementChild
    clearTimeout(opening.current)
    // Nothing clears the timer of a removed tooltip, because React then ignores the anchor. An effect that clears it would cost
    // more: a page removes a hundred tooltips.
    if (target) opening.current = setTimeout(() => setAnchor(target.getBoundingClientRect()), delayMs)
  }
  const enter = ({ pointerType, currentTarget }: PointerEvent) => {
    if (pointerType === 'touch' || anchor) return
    openFor(currentTarget, Date.now() - lastClosedAt < skipDelayMs ? 0 : openDelayMs)
  }
  const focus = ({ target, currentTarget }: FocusEvent) => {
    if (target.matches(':focus-visible')) openFor(currentTarget, 0)
  }

  useEffect(() => {
    if (!anchor) return
    const closeNow = () => {
      lastClosedAt = Date.now()
      setAnchor(null)
    }
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && closeNow()
    document.addEventListener('keydown', closeOnEscape)
    // The button moves away from the tooltip.
    document.addEventListener('scroll', closeNow, true)
    addEventListener('resize', closeNow)
    return () => {
      document.removeEventListener('keydown', closeOnEscape)
      document.removeEventListener('scroll', closeNow, true)
      removeEventListener('resize', closeNow)
    }
  }, [anchor])

  return (
    <span
      className="contents"
      onPointerEnter={enter}
      onPointerLeave={close}
      onPointerDown={close}
      onFocus={focus}
      onBlur={close}
    >
      {children}
      {anchor &&
        createPortal(
          // The padding bridges the gap, so that the pointer can travel onto the tooltip.
          <div
            role="tooltip"
            ref={(tip) => {
              if (tip) place(tip, anchor, side)
            }}
            // `place` moves it from the left upper corner of the window.
            className="fixed top-0 left-0 z-50 w-max max-w-64 animate-appear p-1.5"
          >
            <div className="rounded-md bg-ink px-2.5 py-1 text-xs text-paper shadow-float">{text}</div>
          </div>,
          document.body,
        )}
    </span>
  )
}

/** Puts the tip on the wanted side, on the opposite one where there is no room, and always inside the window. */
function place(tip: HTMLElement, anchor: DOMRect, side: Side) {
  const { width, height } = tip.getBoundingClientRect()
  const isAbove = side === 'top'
  const [size, start, end, room] = isAbove
    ? [height, anchor.top, anchor.bottom, innerHeight]
    : [width, anchor.left, anchor.right, innerWidth]
  const fitsBefore = start - size >= 0
  const fitsAfter = end + size <= room
  const away = fitsBefore || !fitsAfter ? start - size : end
  const left = isAbove ? anchor.left + (anchor.width - width) / 2 : away
  const top = isAbove ? away : anchor.top + (anchor.height - height) / 2
  tip.style.translate = `${within(left, width, innerWidth)}px ${within(top, height, innerHeight)}px`
}

const within = (at: number, size: number, room: number) =>
  Math.max(roomPx, Math.min(at, room - size - roomPx))
