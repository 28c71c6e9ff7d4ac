import type { ReactNode } from 'react'
import { cx } from './cx.ts'

interface BadgeProps {
  tone?: 'plain' | 'outline' | 'lamp' | 'koenig' | 'good' | 'warn' | 'bad'
  className?: string
  children: ReactNode
}

/** A short label or a number. */
export function Badge({ tone = 'plain', className, children }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex min-h-5 min-w-5 shrink-0 items-center justify-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

const tones = {
  plain: 'bg-sunk text-ink-soft',
  outline: 'border border-edge text-ink',
  lamp: 'bg-lamp text-on-lamp',
  koenig: 'bg-koenig text-on-koenig',
  good: 'border border-current bg-surface text-good',
  warn: 'border border-current bg-surface text-warn',
  bad: 'border border-current bg-surface text-bad',
}
