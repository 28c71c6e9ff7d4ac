import { cx } from './cx.ts'

/** The product's name, always as text; `className` gives its size. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={cx('font-serif font-bold tracking-tight whitespace-nowrap', className)}>
      Z<span className="text-lamp">!</span>mmer
    </span>
  )
}
