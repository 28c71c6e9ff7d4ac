import { cx } from '#web/ui/cx.ts'

/** A lamp that hangs from the upper edge of the page. Its light pulses while the person waits. */
export function Lamp({ isBreathing }: { isBreathing: boolean }) {
  return (
    <svg aria-hidden viewBox="0 0 96 104" className="h-26 w-24 text-ink-soft" fill="none">
      <path d="M48 0v50" stroke="currentColor" strokeWidth="1.5" />
      <path d="M39 76a9 9 0 0 0 18 0z" className={cx('fill-lamp', isBreathing && 'animate-breathe')} />
      <path
        d="M44 50h8c12 3 20 13 22 26H22c2-13 10-23 22-26z"
        className="fill-surface"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  )
}
