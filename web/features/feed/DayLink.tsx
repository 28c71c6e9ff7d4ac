import type { ReactNode } from 'react'
import { pressed } from '#web/ui/pressed.ts'
import { pathInFeed } from './day-names.ts'

interface DayLinkProps {
  day: string
  today: string
  className: string
  onOpen: (day: string) => void
  children: ReactNode
}

/** A link to a day below or instead of the posts. */
export function DayLink({ day, today, onOpen, className, children }: DayLinkProps) {
  return (
    <a href={pathInFeed(day, today)} className={className} onClick={pressed(() => onOpen(day))}>
      {children}
    </a>
  )
}
