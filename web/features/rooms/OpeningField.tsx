import { Shuffle } from 'lucide-react'
import { useRef } from 'react'
import { isBlank } from '#contract/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
/** First sentences from which a person may draw one for a new room. They were written for Z!mmer. */
import openings from './openings.json'

interface OpeningFieldProps {
  value: string
  error: string | undefined
  onChange: (opening: string) => void
}

/** The text with which a story begins: typed, or drawn from the deck. A typed text is never replaced by a drawn one. */
export function OpeningField({ value, error, onChange }: OpeningFieldProps) {
  const draw = useDeck(value)
  const isDrawn = openings.includes(value)
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label="Opening (optional)"
        name="opening"
        rows={2}
        value={value}
        error={error}
        hint="The story begins with it, before the first passage."
        onChange={(event) => onChange(event.target.value)}
      />
      {(isDrawn || isBlank(value)) && (
        <Button variant="quiet" className="self-start" onClick={() => onChange(draw())}>
          <Shuffle aria-hidden className="size-4" />
          {isDrawn ? 'Another' : 'Draw an opening'}
        </Button>
      )}
    </div>
  )
}

/** Draws openings in a random order. None is drawn again before all others. */
function useDeck(shown: string): () => string {
  const left = useRef<string[]>([])
  return () => {
    if (left.current.length === 0) left.current = openings.filter((opening) => opening !== shown)
    const place = Math.floor(Math.random() * left.current.length)
    return left.current.splice(place, 1)[0]!
  }
}
