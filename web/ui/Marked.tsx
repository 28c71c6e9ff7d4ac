interface MarkedProps {
  text: string
  /** Positions in UTF-16 units, in order, without overlaps. */
  marks: readonly { from: number; to: number }[]
}

export function Marked({ text, marks }: MarkedProps) {
  return (
    <>
      {marks.map(({ from, to }, index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.to ?? 0, from)}
          <mark className="bg-glow font-semibold text-ink underline decoration-lamp underline-offset-2">
            {text.slice(from, to)}
          </mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.to ?? 0)}
    </>
  )
}
