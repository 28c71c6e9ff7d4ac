import { X } from 'lucide-react'
import { type PointerEvent, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { cx } from './cx.ts'
import type { KeptToast, ToastStore } from './toast-store.ts'

const usuallyMs = 5000
const swipePx = 50
/** A pointer that moves less than this is a press, not a swipe. */
const pressPx = 10

/** The region in which toasts appear; F8 moves the focus there. */
export function Toaster({ store }: { store: ToastStore }) {
  const toasts = useSyncExternalStore(store.subscribe, store.list, store.list)
  const shown = toasts.filter(({ open }) => open)
  const region = useRef<HTMLElement>(null)
  const focusedBefore = useRef<Element | null>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const holdsFocus = () => region.current?.contains(document.activeElement)
  useEffect(() => {
    const focusOnF8 = ({ key }: KeyboardEvent) => {
      if (key !== 'F8' || holdsFocus()) return
      focusedBefore.current = document.activeElement
      region.current?.focus()
    }
    document.addEventListener('keydown', focusOnF8)
    return () => document.removeEventListener('keydown', focusOnF8)
  }, [])
  // A removed element loses the focus without an event: only an effect of every render finds that.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => {
    if (!hasFocus || holdsFocus()) return
    // oxlint-disable-next-line react/set-state-in-effect
    setHasFocus(false)
    const before = focusedBefore.current
    const next = shown.length === 0 && before?.isConnected ? before : region.current
    ;(next as HTMLElement).focus()
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={region}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
      onKeyDown={({ key }) => {
        if (key === 'Escape' && shown[0]) store.dismiss(shown[0].id)
      }}
      // A dialog of the library below the toast listens on the document, and would close.
      onPointerDown={(event) => event.stopPropagation()}
      // A press with the mouse leaves the focus where it is.
      onMouseDown={(event) => event.preventDefault()}
      tabIndex={-1}
      aria-label="Notifications (F8)"
      // Without toasts it has no height: the height of the bottom bar, which comes later, then shifts nothing.
      className="toasts"
    >
      <ol aria-live="polite" className="p-4 empty:p-0">
        {shown.map((toast) => (
          <OneToast
            key={toast.id}
            toast={toast}
            hasFocus={hasFocus}
            onDismiss={() => store.dismiss(toast.id)}
          />
        ))}
      </ol>
    </section>
  )
}

interface OneToastProps {
  toast: KeptToast
  /** The focus is in the region. */
  hasFocus: boolean
  onDismiss: () => void
}

function OneToast({ toast, hasFocus, onDismiss }: OneToastProps) {
  const { title, description, action, shownMs = usuallyMs } = toast
  const isDestructive = toast.tone === 'destructive'
  const [isPointedAt, setIsPointedAt] = useState(false)
  const isHeld = isPointedAt || hasFocus
  const pressedAt = useRef<number | null>(null)
  const [movedPx, setMovedPx] = useState(0)
  const dismiss = useEffectEvent(onDismiss)

  // After a pointer or the focus has held the toast, it stays for the whole time again.
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(), shownMs)
    return () => clearTimeout(timer)
  }, [isHeld, shownMs])

  const distance = ({ clientX }: PointerEvent) => Math.max(0, clientX - (pressedAt.current ?? clientX))
  const move = (event: PointerEvent) => {
    // The button was released outside the toast.
    if (event.buttons === 0) return release()
    // Without the capture the end of the swipe would press a button of the toast.
    if (distance(event) > pressPx) event.currentTarget.setPointerCapture(event.pointerId)
    setMovedPx(distance(event))
  }
  const release = () => {
    pressedAt.current = null
    setMovedPx(0)
  }
  return (
    // The pointer only holds or dismisses the toast, and 'Close' is a button too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => setIsPointedAt(false)}
      onPointerDown={({ clientX, button }) => {
        if (button === 0) pressedAt.current = clientX
      }}
      onPointerMove={move}
      onPointerUp={(event) => {
        if (distance(event) >= swipePx) onDismiss()
        release()
      }}
      onPointerCancel={release}
      style={{ translate: `${movedPx}px` }}
      className={cx(
        'pointer-events-auto flex touch-pan-y animate-rise items-center gap-3 rounded-lg border bg-surface p-4 text-ink shadow-float select-none',
        isDestructive ? 'border-bad' : 'border-line',
      )}
    >
      <div className="min-w-0 flex-1 text-sm">
        <p className={cx('font-semibold', isDestructive && 'text-bad')}>{title}</p>
        {description && <p className="mt-0.5 text-ink-soft">{description}</p>}
      </div>
      {action && (
        <button
          type="button"
          onClick={() => {
            action.onPress()
            onDismiss()
          }}
          className="touch rounded-md px-2 py-0.5 text-sm font-medium text-lamp hover:bg-sunk"
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Close"
        onClick={onDismiss}
        className="touch -m-1 grid size-7 place-items-center rounded-md text-ink-soft hover:bg-sunk hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </li>
  )
}
