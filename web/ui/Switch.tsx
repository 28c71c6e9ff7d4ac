import { useId, type ReactNode } from 'react'

interface SwitchProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** For what takes effect at once; a choice that is sent with a form is a Checkbox. */
export function Switch({ label, hint, checked, onChange, disabled = false }: SwitchProps) {
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
          disabled={disabled}
          onClick={() => onChange(!checked)}
          className="group h-6 w-11 shrink-0 rounded-full border border-edge bg-sunk px-0.75 transition-colors duration-150 ease-out disabled:opacity-60 aria-checked:border-lamp aria-checked:bg-lamp"
        >
          <span className="block size-4 rounded-full bg-edge transition-transform duration-150 ease-out group-aria-checked:translate-x-5 group-aria-checked:bg-on-lamp" />
        </button>
      </div>
      {hint && (
        <p id={`${id}-hint`} className="mt-0.5 pr-14 text-xs text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
