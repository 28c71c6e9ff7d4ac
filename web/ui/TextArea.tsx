import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Field, type FieldTexts, textsAndRest } from './Field.tsx'

interface TextAreaProps extends FieldTexts, Omit<ComponentProps<'textarea'>, 'id'> {}

/** Grows with its text, from `rows` on. */
export function TextArea(props: TextAreaProps) {
  const [texts, { className, rows = 4, ...rest }] = textsAndRest(props)
  return (
    <Field {...texts}>
      {(control) => (
        <textarea
          {...rest}
          {...control}
          rows={rows}
          style={{ minHeight: `calc(${rows}lh + 1rem)` }}
          className={cx(
            'well writing field-sizing-content max-h-[60dvh] font-serif leading-relaxed',
            className,
          )}
        />
      )}
    </Field>
  )
}
