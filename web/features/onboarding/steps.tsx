import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type * as z from 'zod/mini'
import { Email, Name, Passcode, WritingSample } from '#contract/account/fields.ts'
import { answerMax } from '#contract/account/registration/rules.ts'
import { nameLength, passwordLength, writingSampleLength } from '#contract/account/rules.ts'
import { isBlank, lengthInCodePoints } from '#contract/text.ts'
import { Agreement } from '#web/features/instance/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { pressed } from '#web/ui/pressed.ts'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { storedAnswer } from './answer.ts'
import type { Draft } from './draft.ts'
import { useEmailCheck } from './email-check.ts'

interface StepsProps {
  page: number
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  passcode: string
  onPasscodeChange: (passcode: string) => void
  onBack: () => void
  onNext: () => void
  /** Opens the first page, with the address that is taken. */
  onSignIn: () => void
}

/** The pages of the onboarding after the first one. */
export function Steps(props: StepsProps) {
  if (props.page === 2) return <AccountStep {...props} />
  if (props.page === 3) return <PasscodeStep {...props} />
  return <SampleStep {...props} />
}

function AccountStep({ draft, onChange, onBack, onNext, onSignIn }: StepsProps) {
  const errors = { name: errorIn(Name, draft.name), email: errorIn(Email, draft.email) }
  const { refused, isChecking, check } = useEmailCheck(draft.email)
  const next = async () => {
    if (await check()) onNext()
  }
  return (
    <Step onBack={onBack} onNext={() => void next()} isBusy={isChecking} error={errors.name ?? errors.email}>
      {(messageId) => (
        <>
          <TextField
            label="Name"
            hint={`${nameLength.min} to ${nameLength.max} characters. A pen name is fine.`}
            autoComplete="name"
            autoFocus
            value={draft.name}
            errorElsewhere={errors.name && messageId}
            onChange={(event) => onChange({ name: event.target.value })}
          />
          <TextField
            label="Email"
            hint="You'll sign in with this."
            type="email"
            autoComplete="email"
            value={draft.email}
            errorElsewhere={errors.email && messageId}
            error={
              refused && (
                <>
                  {refused.sentence}{' '}
                  {refused.isTaken && (
                    <a href="/?onboarding=true" className={buttonClass('link')} onClick={pressed(onSignIn)}>
                      Sign in with it
                    </a>
                  )}
                </>
              )
            }
            onChange={(event) => onChange({ email: event.target.value })}
          />
        </>
      )}
    </Step>
  )
}

function PasscodeStep({ passcode, onPasscodeChange, onBack, onNext }: StepsProps) {
  const [isShown, setIsShown] = useState(false)
  const error = errorIn(Passcode, passcode)
  return (
    <Step onBack={onBack} onNext={onNext} error={error}>
      {(messageId) => (
        <>
          <TextField
            label="Passcode"
            hint={`At least ${passwordLength.min} letters and digits. If you reload, you'll need to type it again.`}
            type={isShown ? 'text' : 'password'}
            autoComplete="new-password"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            value={passcode}
            errorElsewhere={error && messageId}
            onChange={(event) => onPasscodeChange(event.target.value)}
          />
          <Checkbox
            label="Show what I type"
            checked={isShown}
            onChange={(event) => setIsShown(event.target.checked)}
          />
        </>
      )}
    </Step>
  )
}

function SampleStep({ draft, onChange, onBack, onNext }: StepsProps) {
  const { instance, access } = useAppConfig()
  const [answer, setAnswer] = useState(() => storedAnswer.read() ?? '')
  const question = access?.registration === 'approval' ? access.registrationQuestion : ''
  const count = lengthInCodePoints(draft.writingSample)
  const isUnanswered = question !== '' && isBlank(answer)
  const error =
    errorIn(WritingSample, draft.writingSample) ?? (isUnanswered ? 'Please answer the question.' : undefined)
  return (
    <Step onBack={onBack} onNext={onNext} nextLabel="Finish" error={error}>
      {(messageId) => (
        <>
          <p className="text-sm text-ink-soft">
            {access?.registration === 'approval'
              ? 'An admin reads what you write and decides. It then stays with your account.'
              : 'What you write stays with your account and goes nowhere else.'}
          </p>
          <TextArea
            label="A few words about yourself"
            hint={`${count}/${writingSampleLength.min} characters minimum`}
            rows={6}
            autoFocus
            value={draft.writingSample}
            errorElsewhere={error && messageId}
            onChange={(event) => onChange({ writingSample: event.target.value })}
          />
          {question !== '' && (
            <TextArea
              label={<span dir="auto">{question}</span>}
              hint="An admin reads your answer and decides."
              rows={3}
              maxLength={answerMax}
              value={answer}
              onChange={(event) => {
                setAnswer(event.target.value)
                storedAnswer.write(event.target.value)
              }}
            />
          )}
          <Agreement pages={instance?.pages ?? ['privacy']} />
        </>
      )}
    </Step>
  )
}

/** The last broken rule has the most useful message: it names the allowed characters. */
const errorIn = (rule: z.ZodMiniType, text: string) => rule.safeParse(text).error?.issues.at(-1)?.message

interface StepProps extends Pick<StepsProps, 'onBack' | 'onNext'> {
  /** What is wrong with the page now. It is shown when the person presses the button to go on. */
  error: string | undefined
  nextLabel?: string
  isBusy?: boolean
  /** Gets the id of the shown message, for the fields that it is about. */
  children: (messageId: string | undefined) => ReactNode
}

function Step({ error, nextLabel = 'Next', isBusy = false, onBack, onNext, children }: StepProps) {
  const [message, setMessage] = useState<string>()
  const messageId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMessage(error)
    if (error === undefined) onNext()
  }
  return (
    <form aria-labelledby="onboarding-title" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {children(message && messageId)}
      <p id={messageId} role="alert" className="text-sm font-medium text-bad empty:hidden">
        {message}
      </p>
      <div className="flex justify-between gap-3">
        <Button variant="quiet" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" busy={isBusy}>
          {nextLabel}
        </Button>
      </div>
    </form>
  )
}
