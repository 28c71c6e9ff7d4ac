import { type FormEvent, type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import {
  Email,
  Name,
  nameLength,
  Passcode,
  WritingSample,
  writingSampleLength,
} from '#contract/account/fields.ts'
import { lengthInCodePoints } from '#contract/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import type { Draft } from './draft.ts'

interface Turning {
  onBack: () => void
  onNext: () => void
}

interface DraftProps extends Turning {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

export function AccountStep({ draft, onChange, ...turning }: DraftProps) {
  return (
    <Step {...turning} fault={faultIn(Name, draft.name) ?? faultIn(Email, draft.email)}>
      <TextField
        label="Name"
        hint={`${nameLength.min} to ${nameLength.max} characters. A pen name is a name.`}
        autoComplete="name"
        autoFocus
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextField
        label="Email"
        hint="You sign in with it."
        type="email"
        autoComplete="email"
        value={draft.email}
        onChange={(event) => onChange({ email: event.target.value })}
      />
    </Step>
  )
}

interface PasscodeProps extends Turning {
  passcode: string
  onChange: (passcode: string) => void
}

export function PasscodeStep({ passcode, onChange, ...turning }: PasscodeProps) {
  const [isShown, setIsShown] = useState(false)
  return (
    <Step {...turning} fault={faultIn(Passcode, passcode)}>
      <TextField
        label="Passcode"
        hint="At least 6 letters and digits. It is not stored here: after a reload you type it again."
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={passcode}
        onChange={(event) => onChange(event.target.value)}
      />
      <Checkbox
        label="Show what I type"
        checked={isShown}
        onChange={(event) => setIsShown(event.target.checked)}
      />
    </Step>
  )
}

export function SampleStep({ draft, onChange, ...turning }: DraftProps) {
  const count = lengthInCodePoints(draft.writingSample)
  return (
    <Step {...turning} nextLabel="Finish" fault={faultIn(WritingSample, draft.writingSample)}>
      <p className="text-sm text-ink-soft">It stays with your account and goes nowhere else.</p>
      <TextArea
        label="A few words about yourself"
        hint={`${count}/${writingSampleLength.min} characters minimum`}
        rows={6}
        autoFocus
        value={draft.writingSample}
        onChange={(event) => onChange({ writingSample: event.target.value })}
      />
    </Step>
  )
}

/** The last rule that is broken says most: it names the allowed characters. */
const faultIn = (rule: z.ZodMiniType, text: string) => rule.safeParse(text).error?.issues.at(-1)?.message

interface StepProps extends Turning {
  /** What is wrong with the page as it is now; said when somebody wants to go on. */
  fault: string | undefined
  nextLabel?: string
  children: ReactNode
}

function Step({ fault, nextLabel = 'Next', onBack, onNext, children }: StepProps) {
  const [said, setSaid] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSaid(fault)
    if (fault === undefined) onNext()
  }
  return (
    <form aria-labelledby="onboarding-title" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {children}
      <p role="alert" className="text-sm font-medium text-bad empty:hidden">
        {said}
      </p>
      <div className="flex justify-between gap-3">
        <Button variant="quiet" onClick={onBack}>
          Back
        </Button>
        <Button type="submit">{nextLabel}</Button>
      </div>
    </form>
  )
}
