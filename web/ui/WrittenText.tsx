import { formOf, type TextForm } from '#contract/text-form.ts'
import { cx } from './cx.ts'

interface WrittenTextProps {
  text: string
  /** The element of the title. */
  titleAs?: 'h2' | 'span'
  titleClass?: string
}

/** A text with its title, when its author gave it one. A stanza keeps its lines on every screen. */
export function WrittenText({ text, titleAs: Title = 'h2', titleClass = 'text-2xl' }: WrittenTextProps) {
  const form = formOf(text)
  return (
    <>
      {form.title !== null && (
        <Title
          dir="auto"
          className={cx('mb-[0.4em] block font-serif font-semibold text-balance text-ink', titleClass)}
        >
          {form.title}
        </Title>
      )}
      <WrittenBody form={form} />
    </>
  )
}

/** The text without its title, for a page that sets the title itself. Its container keeps white space. */
export function WrittenBody({ form: { body, isVerse } }: { form: TextForm }) {
  if (!isVerse) return body
  const lines = body.split(/(?<=\n)/)
  // The index is a safe key: lines have no ids and are never moved.
  return lines.map((line, number) => (
    <span key={number} className="verse-line">
      {line}
    </span>
  ))
}
