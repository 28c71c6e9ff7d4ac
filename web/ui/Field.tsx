import { useId, type ReactNode } from 'react'

export interface FieldTexts {
  label: ReactNode
  /** Explains the field before there is an error. */
  hint?: ReactNode
  /** Says what is wrong with the typed text; stands under the field, and screen readers read it with the field. */
  error?: ReactNode
  /** The id of a message elsewhere, such as under the form, that says what is wrong with this field. */
  errorElsewhere?: string | undefined
  /** Only screen readers get the label. */
  labelHidden?: boolean | undefined
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

export function Field({ label, hint, error, errorElsewhere, labelHidden = false, children }: FieldProps) {
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
        'aria-describedby':
          [hint && hintId, error && errorId, errorElsewhere].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error || errorElsewhere ? true : undefined,
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

/** Parts the texts of a field from the attributes of its control. */
export function textsAndRest<Props extends FieldTexts>(props: Props) {
  const { label, hint, error, errorElsewhere, labelHidden, ...rest } = props
  return [{ label, hint, error, errorElsewhere, labelHidden }, rest] as const
}
