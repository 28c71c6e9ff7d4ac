import type { HTMLAttributes, Ref } from 'react'
import { cx } from './cx.ts'

interface CardProps extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'section' | 'article' | 'li'
  ref?: Ref<HTMLElement & HTMLDivElement & HTMLLIElement>
}

export function Card({ as: Tag = 'div', className, ...rest }: CardProps) {
  return <Tag {...rest} className={cx('rounded-lg border border-line bg-surface p-5 text-ink', className)} />
}
