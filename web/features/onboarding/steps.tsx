import { type FormEvent, type ReactNode, useState } from 'react'
import {
  Email,
  emailMaxLength,
  Name,
  nameLength,
  namesMessage,
  Passcode,
  passcodeMessage,
  passwordLength,
  WritingSample,
  writingSampleLength,
  writingSampleMessage,
} from '#contract/account/fields.ts'
import { lengthInCodePoints } from '#contract/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import type { Draft } from './draft.ts'

interface StepProps {
  onBack: () => void
  onNext: () => void
}

interface DraftProps extends StepProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

/** Name and email. */
export function AccountStep({ draft, onChange, ...step }: DraftProps) {
  const isRight = () => Name.safeParse(draft.name).success && Email.safeParse(draft.email).success
  return (
    <Step {...step} faultOf={() => (isRight() ? undefined : namesMessage)}>
      <TextField
        label="Name"
        autoComplete="name"
        autoFocus
        maxLength={nameLength.max}
        value={draft.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        maxLength={emailMaxLength}
        value={draft.email}
        onChange={(event) => onChange({ email: event.target.value })}
      />
    </Step>
  )
}

interface PasscodeProps extends StepProps {
  passcode: string
  onChange: (passcode: string) => void
}

export function PasscodeStep({ passcode, onChange, ...step }: PasscodeProps) {
  const faultOf = () => {
    if (Passcode.safeParse(passcode).success) return undefined
    const isOfOtherSigns = !/^[\p{L}\p{N}]*$/u.test(passcode)
    return isOfOtherSigns ? `${passcodeMessage}. Use letters and digits only` : passcodeMessage
  }
  return (
    <Step {...step} faultOf={faultOf}>
      <TextField
        label="Passcode"
        type="password"
        autoComplete="new-password"
        autoFocus
        hint="At least 6 letters and digits."
        maxLength={passwordLength.max}
        value={passcode}
        onChange={(event) => onChange(event.target.value)}
      />
    </Step>
  )
}

export function SampleStep({ draft, onChange, ...step }: DraftProps) {
  const count = lengthInCodePoints(draft.writingSample)
  const isRight = () => WritingSample.safeParse(draft.writingSample).success
  return (
    <Step {...step} nextLabel="Analyze" faultOf={() => (isRight() ? undefined : writingSampleMessage)}>
      <TextArea
        label="A few words about yourself"
        autoFocus
        rows={6}
        className="reading"
        hint={`${count}/${writingSampleLength.min} characters minimum`}
        maxLength={writingSampleLength.max}
        value={draft.writingSample}
        onChange={(event) => onChange({ writingSample: event.target.value })}
      />
    </Step>
  )
}

interface FormProps extends StepProps {
  nextLabel?: string
  /** The sentence that says what is missing. */
  faultOf: () => string | undefined
  children: ReactNode
}

function Step({ nextLabel = 'Next', faultOf, onBack, onNext, children }: FormProps) {
  const [fault, setFault] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = faultOf()
    setFault(found)
    if (found === undefined) onNext()
  }
  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={submit}>
      {children}
      {fault !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {fault}
        </p>
      )}
      <div className="flex justify-between gap-3">
        <Button variant="quiet" onClick={onBack}>
          Back
        </Button>
        <Button type="submit">{nextLabel}</Button>
      </div>
    </form>
  )
}
