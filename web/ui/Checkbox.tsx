import { useId, type ComponentProps, type ReactNode } from 'react'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'id' | 'type' | 'children'> {
  label: ReactNode
  hint?: ReactNode
}

export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  const hintId = useId()
  return (
    <div className={className}>
      <label className="touch inline-flex items-center gap-2.5 text-sm">
        <input
          {...rest}
          type="checkbox"
          aria-describedby={hint ? hintId : undefined}
          className="size-4.5 shrink-0 accent-lamp"
        />
        {label}
      </label>
      {hint && (
        <p id={hintId} className="ms-7 text-xs text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
