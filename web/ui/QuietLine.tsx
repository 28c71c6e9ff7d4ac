import type { MouseEventHandler } from 'react'
import { Button } from './Button.tsx'

interface QuietLineProps {
  /** What could not be loaded or saved, as a sentence. */
  text: string
  onTryAgain: () => void
  onMouseDown?: MouseEventHandler
  busy?: boolean
}

/** Shows a failure in its place on the page, where the product shows neither an alert nor a toast. */
export function QuietLine({ text, onTryAgain, onMouseDown, busy = false }: QuietLineProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 py-1 text-sm text-ink-soft">
      <output>{text}</output>
      <Button variant="link" busy={busy} onMouseDown={onMouseDown} onClick={onTryAgain}>
        Try again
      </Button>
    </p>
  )
}
