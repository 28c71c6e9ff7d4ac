import type { ComponentProps, ReactNode } from 'react'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'className' | 'children'> {
  label: ReactNode
}

export const Checkbox = ({ label, ...rest }: CheckboxProps) => (
  <div>
    <label className="touch inline-flex items-center gap-2.5 text-sm">
      <input {...rest} type="checkbox" className="size-4.5 shrink-0 accent-lamp" />
      {label}
    </label>
  </div>
)
