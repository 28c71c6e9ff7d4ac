import { diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'

export interface TextDifferenceProps {
  before: string
  after: string
}

/** A comparison that takes longer is given up, so that the page keeps answering. */
const comparisonMs = 250

/** What was taken out of a text and what was put into it, word by word. */
export function TextDifference({ before, after }: TextDifferenceProps) {
  const parts = useMemo(() => diffWordsWithSpace(before, after, { timeout: comparisonMs }), [before, after])
  if (before === after) return <p className="text-sm text-ink-soft">Both texts are the same.</p>
  if (parts === undefined) return <BothTexts before={before} after={after} />
  return (
    <p dir="auto" className="font-serif whitespace-pre-wrap wrap-anywhere">
      {parts.map(({ value, added, removed }, place) => {
        // The index is a safe key: the parts are never moved.
        if (added)
          return (
            <ins key={place} className="text-good">
              {value}
            </ins>
          )
        if (removed)
          return (
            <del key={place} className="text-ink-soft">
              {value}
            </del>
          )
        return value
      })}
    </p>
  )
}

const BothTexts = ({ before, after }: TextDifferenceProps) => (
  <div className="flex flex-col gap-4">
    <p className="text-sm text-ink-soft">The texts differ too much to compare them word by word.</p>
    {[['Earlier text', before] as const, ['Later text', after] as const].map(([name, text]) => (
      <section key={name} aria-label={name} className="flex flex-col gap-1">
        <h3 className="text-sm font-medium">{name}</h3>
        <p dir="auto" className="font-serif whitespace-pre-wrap wrap-anywhere">
          {text}
        </p>
      </section>
    ))}
  </div>
)
