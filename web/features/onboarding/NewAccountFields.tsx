import { type ComponentProps, type ReactNode, useState } from 'react'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { TextField } from '#web/ui/TextField.tsx'

interface NewAccountFieldsProps {
  fieldOf: (
    name: 'name' | 'passcode',
  ) => Pick<ComponentProps<typeof TextField>, 'value' | 'error' | 'onChange'>
  passcodeHint: string
  /** Stands between the two fields. */
  children?: ReactNode
}

/** The name and the passcode of an account that is made on one page. */
export function NewAccountFields({ fieldOf, passcodeHint, children }: NewAccountFieldsProps) {
  const [isShown, setIsShown] = useState(false)
  return (
    <>
      <TextField
        {...fieldOf('name')}
        label="Name"
        hint="Others read it where you write. A pen name is fine."
        autoComplete="name"
      />
      {children}
      <TextField
        {...fieldOf('passcode')}
        label="Passcode"
        hint={passcodeHint}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Checkbox
        label="Show what I type"
        checked={isShown}
        onChange={(event) => setIsShown(event.target.checked)}
      />
    </>
  )
}
