import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Field, type FieldTexts } from './Field.tsx'

interface TextAreaProps extends FieldTexts, Omit<ComponentProps<'textarea'>, 'id'> {}

/** Grows with its text, from `rows` on. */
export function TextArea({
  label,
  hint,
  error,
  errorElsewhere,
  labelHidden = false,
  className,
  rows = 4,
  ...rest
}: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} errorElsewhere={errorElsewhere} labelHidden={labelHidden}>
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
