import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Field, type FieldTexts, textsAndRest } from './Field.tsx'

interface TextFieldProps extends FieldTexts, Omit<ComponentProps<'input'>, 'id'> {}

export function TextField(props: TextFieldProps) {
  const [texts, { className, type = 'text', ...rest }] = textsAndRest(props)
  return (
    <Field {...texts}>
      {(control) => <input {...rest} {...control} type={type} className={cx('well', className)} />}
    </Field>
  )
}
