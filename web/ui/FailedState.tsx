import { Button } from './Button.tsx'
import { Drawing } from './Drawing.tsx'

interface FailedStateProps {
  /** What failed, as a sentence. */
  text: string
  /** What is not lost. */
  kept?: string
  onTryAgain: () => void
}

export function FailedState({ text, kept, onTryAgain }: FailedStateProps) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-12 text-center">
      <Drawing of="lamp" />
      <div role="alert" className="max-w-prose">
        <p className="font-serif text-lg">{text}</p>
        {kept && <p className="mt-1 text-sm text-ink-soft">{kept}</p>}
      </div>
      <Button variant="quiet" onClick={onTryAgain}>
        Try again
      </Button>
    </div>
  )
}
