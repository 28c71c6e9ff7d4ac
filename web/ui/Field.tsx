import { useId, type ReactNode } from 'react'

export interface FieldTexts {
  label: ReactNode
  /** Helps before anything went wrong. */
  hint?: ReactNode
  /** What is wrong with what was typed; shown under the field and read with it. */
  error?: string | null | undefined
  /** The label is read out, not seen. */
  labelHidden?: boolean
}

interface FieldProps extends FieldTexts {
  /** Draws the control; it must take these attributes. */
  children: (control: ControlAttributes) => ReactNode
}

interface ControlAttributes {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export function Field({ label, hint, error, labelHidden = false, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': [hint && hintId, error && errorId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p id={hintId} className="text-xs text-ink-soft">
          {hint}
        </p>
      )}
      <p id={errorId} role="alert" className="text-xs font-medium text-bad empty:hidden">
        {error}
      </p>
    </div>
  )
}
