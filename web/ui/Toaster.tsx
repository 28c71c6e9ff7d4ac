import { X } from 'lucide-react'
import { type PointerEvent, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { cx } from './cx.ts'
import type { KeptToast, ToastStore } from './toast-store.ts'

const shownMs = 5000
const swipePx = 50
/** A press moves less than this. */
const pressPx = 10

/** The region in which toasts appear; F8 moves the focus there. */
export function Toaster({ store }: { store: ToastStore }) {
  const toasts = useSyncExternalStore(store.subscribe, store.list)
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    const focusOnF8 = ({ key }: KeyboardEvent) => {
      if (key === 'F8') region.current?.focus()
    }
    document.addEventListener('keydown', focusOnF8)
    return () => document.removeEventListener('keydown', focusOnF8)
  }, [])
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Notifications (F8)"
      // Without toasts it has no height: the height of the bottom bar, which comes later, then shifts nothing.
      // On phones at the top, where no thumb works; else above the bottom bar, whose height the frame sets.
      className="pointer-events-none fixed top-0 right-0 z-60 w-full sm:top-auto sm:bottom-(--bottom-bar,0px) sm:max-w-md"
    >
      <ol aria-live="polite" className="p-4 empty:p-0">
        {toasts
          .filter(({ open }) => open)
          .map((toast) => (
            <OneToast key={toast.id} toast={toast} onDismiss={() => store.dismiss(toast.id)} />
          ))}
      </ol>
    </section>
  )
}

function OneToast({ toast, onDismiss }: { toast: KeptToast; onDismiss: () => void }) {
  // A toast is rarely drawn: without the memo code of the compiler the first file is 0.5 KB smaller.
  'use no memo'
  const { title, description, action } = toast
  const isDestructive = toast.tone === 'destructive'
  const [isHeld, setIsHeld] = useState(false)
  const pressedAt = useRef<number | null>(null)
  const [movedPx, setMovedPx] = useState(0)
  const dismiss = useEffectEvent(onDismiss)

  // Whoever points at a toast, or has the focus in it, has the whole time again afterwards.
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(), shownMs)
    return () => clearTimeout(timer)
  }, [isHeld])

  const distance = ({ clientX }: PointerEvent) => Math.max(0, clientX - (pressedAt.current ?? clientX))
  const move = (event: PointerEvent) => {
    // Without the capture the end of the swipe would press a button of the toast.
    if (distance(event) > pressPx) event.currentTarget.setPointerCapture(event.pointerId)
    setMovedPx(distance(event))
  }
  const release = () => {
    pressedAt.current = null
    setMovedPx(0)
  }
  return (
    // Pointers and focus only make it stay longer; everything that it does has a button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
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
        'pointer-events-auto flex touch-pan-y animate-rise items-start gap-3 rounded-lg border bg-surface p-4 text-ink shadow-float select-none',
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
        aria-label="Dismiss"
        onClick={onDismiss}
        className="touch -m-1 grid size-7 place-items-center rounded-md text-ink-soft hover:bg-sunk hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </li>
  )
}
