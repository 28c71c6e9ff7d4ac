import { useId, type ReactNode } from 'react'
import { keepFocus } from './keep-focus.ts'

interface SwitchProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  /** For a switch beside a field: a press leaves the focus in the field. */
  keepsFocus?: boolean
}

/** A setting that takes effect at once. For a choice that is sent with a form use Checkbox. */
export function Switch({ label, hint, checked, onChange, keepsFocus = false }: SwitchProps) {
  const id = useId()
  return (
    <div>
      <div className="flex items-center justify-between gap-4">
        <label
          id={`${id}-label`}
          htmlFor={id}
          className="touch flex flex-1 items-center py-1 text-sm font-medium"
        >
          {label}
        </label>
        <button
          type="button"
          id={id}
          role="switch"
          aria-checked={checked}
          aria-labelledby={`${id}-label`}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onMouseDown={keepsFocus ? keepFocus : undefined}
          onClick={() => onChange(!checked)}
          className="touch group grid shrink-0 items-center rounded-full"
        >
          <span className="flex h-6 w-11 items-center rounded-full border border-edge bg-sunk px-0.75 transition-colors duration-150 ease-out group-aria-checked:border-lamp group-aria-checked:bg-lamp">
            <span className="size-4 rounded-full bg-edge transition-transform duration-150 ease-out group-aria-checked:translate-x-5 group-aria-checked:bg-on-lamp" />
          </span>
        </button>
      </div>
      {hint && (
        <p id={`${id}-hint`} className="mt-0.5 pe-14 text-xs text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
