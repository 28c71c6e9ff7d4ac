import { Marked } from '#web/ui/Marked.tsx'
import { snippetOf } from './snippet.ts'
import { typedQueryOf } from './query.ts'
import { needlesOf, wordLineOf } from './word-line.ts'

/** The part of a note that matches the query of the person, above its field: a field cannot show marks. */
export function FoundSnippet({ owner, text }: { owner: string; text: string }) {
  const needles = needlesOf(typedQueryOf(owner))
  const words = wordLineOf(text)
  if (needles.length === 0 || !needles.every((needle) => words.folded.includes(needle))) return null
  return (
    <p dir="auto" className="border-s-2 border-lamp ps-3 font-serif wrap-anywhere text-ink-soft">
      <Marked {...snippetOf(text, words, needles)} />
    </p>
  )
}
