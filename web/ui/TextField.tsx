import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Field, type FieldTexts } from './Field.tsx'

interface TextFieldProps extends FieldTexts, Omit<ComponentProps<'input'>, 'id'> {}

export function TextField({
  label,
  hint,
  error,
  errorElsewhere,
  labelHidden = false,
  className,
  type = 'text',
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} errorElsewhere={errorElsewhere} labelHidden={labelHidden}>
      {(control) => <input {...rest} {...control} type={type} className={cx('well', className)} />}
    </Field>
  )
}
