import { Marked } from '#web/ui/Marked.tsx'
import { foundLine } from './found-line.ts'
import { soughtBy } from './sought.ts'
import { needlesOf, wordLineOf } from './word-line.ts'

/** The part of a note that matches what the person has just looked for. A field cannot mark it. */
export function FoundLine({ owner, text }: { owner: string; text: string }) {
  const needles = needlesOf(soughtBy(owner))
  const words = wordLineOf(text)
  if (needles.length === 0 || !needles.every((needle) => words.line.includes(needle))) return null
  return (
    <p dir="auto" className="border-s-2 border-lamp ps-3 font-serif wrap-anywhere text-ink-soft">
      <Marked {...foundLine(text, words, needles)} />
    </p>
  )
}
