import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'

interface RadioGroupProps<Value extends string> {
  legend: ReactNode
  options: readonly { value: Value; label: ReactNode; hint?: ReactNode }[]
  value: Value | null
  onChange: (value: Value) => void
  /** Side by side where there is room. */
  inline?: boolean
  /** Without a box around each option. */
  plain?: boolean
}

export function RadioGroup<Value extends string>({
  legend,
  options,
  value,
  onChange,
  inline = false,
  plain = false,
}: RadioGroupProps<Value>) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      <div className={cx('flex gap-2', inline ? 'flex-wrap' : 'flex-col')}>
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              'touch flex items-center gap-2.5 rounded-md text-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-lamp',
              !plain &&
                'border border-edge bg-surface px-3 py-2 transition-colors duration-150 ease-out hover:border-ink-soft has-checked:border-lamp',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="size-4 shrink-0 accent-lamp outline-none"
            />
            <span>
              {option.label}
              {option.hint && <span className="block text-xs text-ink-soft">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
