import type { ReactNode } from 'react'
import { Drawing, type DrawingOf } from './Drawing.tsx'

interface EmptyStateProps {
  text: ReactNode
  drawing?: DrawingOf
  /** The next action: a button or a link. */
  action?: ReactNode
}

export function EmptyState({ text, drawing = 'page', action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-12 text-center">
      <Drawing of={drawing} />
      <p className="max-w-prose font-serif text-lg wrap-anywhere text-ink-soft">{text}</p>
      {action}
    </div>
  )
}
