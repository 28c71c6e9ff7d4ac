import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { Field, type FieldTexts, textsAndRest } from './Field.tsx'

interface Option<Value> {
  value: Value
  label: string
  disabled?: boolean
}

interface SelectFieldProps<Value extends string | number>
  extends FieldTexts, Omit<ComponentProps<'select'>, 'id' | 'multiple' | 'children' | 'onChange'> {
  /** A value alone is its own label. */
  options: readonly (Value | Option<Value>)[]
  value?: Value
  onChange: (value: Value, select: HTMLSelectElement) => void
}

/** The browser's own select. */
export function SelectField<Value extends string | number>(props: SelectFieldProps<Value>) {
  const [texts, { className, options, onChange, ...rest }] = textsAndRest(props)
  const all = options.map((each): Option<Value> =>
    typeof each === 'object' ? each : { value: each, label: String(each) },
  )
  return (
    <Field {...texts}>
      {(control) => (
        <div className="relative">
          <select
            {...rest}
            {...control}
            className={cx('well appearance-none pe-9', className)}
            onChange={({ currentTarget: select }) =>
              onChange(all.find(({ value }) => String(value) === select.value)!.value, select)
            }
          >
            {all.map(({ value, label, disabled }) => (
              <option key={value} value={value} disabled={disabled}>
                {label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 inset-e-3 size-4 -translate-y-1/2 text-ink-soft"
          />
        </div>
      )}
    </Field>
  )
}
