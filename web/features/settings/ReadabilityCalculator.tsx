import { useDeferredValue, useState } from 'react'
import { heaviestSentences, readability, type Readability } from './readability.ts'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'

const marked = 3

/** Shows how many years of school a text needs, and its most difficult sentences. */
export function ReadabilityCalculator() {
  const [text, setText] = useState('')
  const measured = useDeferredValue(text)
  const result = readability(measured)
  return (
    <TitledCard title="Readability calculator" className="flex flex-col gap-4 p-6">
      <TextArea
        label="Text"
        rows={6}
        hint="Measured on this device with the Gunning fog index, designed for English."
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <output>
        {result && (
          <p className="text-lg">
            <span className="font-serif text-2xl">{result.index.toFixed(1)}</span> {result.label}
          </p>
        )}
      </output>
      {result && <Counts result={result} text={measured} />}
    </TitledCard>
  )
}

function Counts({ result, text }: { result: Readability; text: string }) {
  const counts = [
    ['Sentences', result.sentences],
    ['Words', result.words],
    ['Complex words', result.complexWords],
  ] as const
  const heavy = new Set(heaviestSentences(result, marked))
  return (
    <>
      <dl className="flex flex-wrap gap-6 text-sm">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt className="text-ink-soft">{name}</dt>
            <dd className="text-lg">{count}</dd>
          </div>
        ))}
      </dl>
      {result.sentences > 1 && (
        <div>
          <h3 className="mb-1 text-sm font-medium text-ink-soft">The heaviest sentences are underlined</h3>
          <p className="reading max-h-80 overflow-y-auto">
            {result.parts.map((sentence, i) => {
              const until = result.parts[i + 1]?.start ?? text.length
              const words = text.slice(sentence.start, sentence.end)
              return (
                <span key={sentence.start}>
                  {heavy.has(sentence) ? (
                    <mark className="bg-sunk text-ink underline decoration-lamp decoration-2 underline-offset-4">
                      {words}
                    </mark>
                  ) : (
                    words
                  )}
                  {text.slice(sentence.end, until)}
                </span>
              )
            })}
          </p>
        </div>
      )}
    </>
  )
}
