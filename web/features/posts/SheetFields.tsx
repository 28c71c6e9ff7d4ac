import { type KeyboardEvent, memo, useDeferredValue, useRef, useState } from 'react'
import { formOf, titleMaxLength, withTitle } from '#contract/text-form.ts'
import { fits } from '#contract/text.ts'
import { wordsOf } from '#contract/text-words.ts'
import { cx } from '#web/ui/cx.ts'
import { Field } from '#web/ui/Field.tsx'
import { readingMinutes } from './reading-time.ts'
import type { WrittenDraft } from './use-draft.ts'
import { excessOf } from './use-submission.ts'

/** The title and the text below it, as two fields of one text. */
export function useSheet({ editor }: Pick<WrittenDraft, 'editor'>) {
  const [typed, setTyped] = useState<Parts>({ title: '', body: '' })
  // A line break that is typed in the text does not turn its first line into the title while somebody writes.
  const parts = withTitle(typed.title, typed.body) === editor.text ? typed : partsOf(editor.text)
  return {
    ...parts,
    isReadOnly: editor.state === 'loading',
    hasLongTitle: !fits(parts.title, titleMaxLength),
    write: (part: Partial<Parts>) => {
      const changed = { ...parts, ...part }
      setTyped(changed)
      editor.change(withTitle(changed.title, changed.body))
    },
  }
}

interface SheetFieldsProps {
  sheet: ReturnType<typeof useSheet>
  error: string | undefined
  /** The inner margin and the least height of the text. */
  titleClass?: string
  textClass: string
}

/** The title and the text of a post: what the dialog and the page write on. */
export function SheetFields({ sheet, error, titleClass, textClass }: SheetFieldsProps) {
  const { title, body, isReadOnly, write } = sheet
  const text = useRef<HTMLTextAreaElement>(null)
  const goOnInText = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    text.current?.focus()
  }
  return (
    <>
      <Field label="Title (optional)" labelHidden error={excessOf(title, titleMaxLength)}>
        {(control) => (
          <input
            {...control}
            placeholder="Title"
            value={title}
            readOnly={isReadOnly}
            onChange={(event) => write({ title: event.target.value })}
            onKeyDown={goOnInText}
            className={cx(
              lineClass,
              'border-transparent font-serif text-2xl leading-normal font-semibold',
              titleClass,
            )}
          />
        )}
      </Field>
      <Field label="Your text" labelHidden error={error}>
        {(control) => (
          <textarea
            {...control}
            ref={text}
            placeholder="Your text"
            value={body}
            readOnly={isReadOnly}
            aria-busy={isReadOnly}
            onChange={(event) => write({ body: event.target.value })}
            className={cx(fieldClass, 'reading field-sizing-content resize-none', textClass)}
          />
        )}
      </Field>
    </>
  )
}

interface Parts {
  title: string
  body: string
}

function partsOf(text: string): Parts {
  const { title, body } = formOf(text)
  return { title: title ?? '', body }
}

/** The words of a text and the time to read it. They are counted after the key press is shown. */
export function Counts({ text }: { text: string }) {
  return <CountsOf text={useDeferredValue(text)} />
}

const CountsOf = memo(({ text }: { text: string }) => {
  const words = wordsOf(text).length
  return (
    <p>
      {words.toLocaleString('en-US')} {words === 1 ? 'word' : 'words'}
      {words > 0 && `, ${readingMinutes(words)} min to read`}
    </p>
  )
})

const fieldClass = 'w-full bg-transparent py-1 caret-lamp outline-hidden [unicode-bidi:plaintext]'

/** A line to write on, without a box. */
export const lineClass = cx(fieldClass, 'border-b focus:border-lamp aria-invalid:border-bad')
