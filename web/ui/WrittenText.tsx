import { formOf, type TextForm } from '#contract/text-form.ts'
import { cx } from './cx.ts'

interface WrittenTextProps {
  text: string
  /** The form that the author chose. Without one it is guessed from the text. */
  form?: 'verse' | 'prose' | null
  /** The element of the title: a heading where blocks may stand, or a `span`. */
  titleAs?: 'h2' | 'h3' | 'span'
  titleClass?: string
}

/** A text with its title, when its author gave it one. A stanza keeps its lines on every screen. */
export function WrittenText({
  text,
  form: chosen,
  titleAs: Title = 'h2',
  titleClass = 'text-2xl',
}: WrittenTextProps) {
  const form = formOf(text, chosen)
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
      {form.isVerse ? linesOf(form.body, Title === 'span' ? 'span' : 'div') : form.body}
    </>
  )
}

/**
 * The text without its title, for a page that sets the title itself. Its container keeps white space. The paragraphs and the
 * hidden line breaks are for reader modes, which drop our styles.
 */
export function WrittenBody({ form: { body, isVerse } }: { form: TextForm }) {
  // A paragraph keeps the blank lines that follow it.
  const paragraphs = body.split(/(?<=\n[^\S\n]*\n)(?=[^\n])/)
  return paragraphs.map((paragraph, number) => (
    // The index is a safe key: paragraphs have no ids and are never moved.
    <p key={number} className="[unicode-bidi:plaintext]">
      {isVerse ? linesOf(paragraph, 'span') : withLineEnds(paragraph).flatMap(withBreak)}
    </p>
  ))
}

/**
 * A reader mode, which drops our styles, takes a `div` as a line, and needs a break after a `span`. A page may have a thousand lines,
 * which are rendered faster as one element each.
 */
const linesOf = (text: string, Line: 'div' | 'span') =>
  withLineEnds(text).map((line, number) => (
    <Line key={number} dir="auto" className="verse-line">
      {Line === 'div' ? line : withBreak(line, number)}
    </Line>
  ))

const withLineEnds = (text: string) => text.split(/(?<=\n)/)

const withBreak = (line: string, number: number) =>
  line.endsWith('\n') ? [line, <br key={number} hidden />] : [line]
