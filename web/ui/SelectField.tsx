import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Field, type FieldTexts, textsAndRest } from './Field.tsx'

interface SelectFieldProps extends FieldTexts, Omit<ComponentProps<'select'>, 'id' | 'multiple'> {}

/** The browser's own select; its children are `<option>`s. */
export function SelectField(props: SelectFieldProps) {
  const [texts, { className, ...rest }] = textsAndRest(props)
  return (
    <Field {...texts}>
      {(control) => (
        <div className="relative">
          <select {...rest} {...control} className={cx('well appearance-none pe-9', className)} />
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 inset-e-3 size-4 -translate-y-1/2 text-ink-soft"
          />
        </div>
      )}
    </Field>
  )
}
