/** Stands in the place of a passage that nobody but its author reads before the end. */
export const FoldedStrip = ({ words }: { words: number }) => (
  <p className="max-w-reading self-start border-y border-line bg-sunk px-3 py-1 text-sm text-ink-soft italic">
    {words === 1 ? '1 word' : `${words.toLocaleString('en-US')} words`}, folded
  </p>
)
