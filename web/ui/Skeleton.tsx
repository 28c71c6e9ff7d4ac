import { cx } from './cx.ts'

/** Holds the place of what is loading; `className` gives it the final size, such as `h-6 w-40`. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={cx('animate-breathe rounded-md bg-line', className)} />
}
