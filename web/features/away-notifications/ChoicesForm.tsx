import { useRef, useState } from 'react'
import type { AwayNotificationChoices } from '#contract/away-notifications/choices.ts'
import { timeOfDay } from '#web/lib/locale.ts'
import { SelectField } from '#web/ui/SelectField.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { useToast } from '#web/ui/toasts.tsx'

type Changes = Partial<AwayNotificationChoices>

interface ChoicesFormProps {
  stored: AwayNotificationChoices
  /** Returns what is stored then; undefined when it failed. */
  save: (changes: Changes) => Promise<AwayNotificationChoices | undefined>
}

/** All choices about away notifications. Each takes effect at once. */
export function ChoicesForm({ stored, save }: ChoicesFormProps) {
  const [choices, change] = useChoices({ stored, save })
  return (
    <>
      <p className="text-sm text-ink-soft">
        You are told once: on an open page, else by a push, else by a mail after 30 minutes. The bell keeps
        all of it. No mail contains what somebody has written.
      </p>
      <Switch
        label="Mails"
        hint="Off: no mail but those about the account itself, such as a new passcode."
        checked={choices.byMail}
        onChange={(byMail) => change({ byMail })}
      />
      <hr className="border-line" />
      <Switch
        label="Invitations and new friends"
        checked={choices.invitations}
        onChange={(invitations) => change({ invitations })}
      />
      <Switch
        label="Messages while you are away"
        checked={choices.messages}
        onChange={(messages) => change({ messages })}
      />
      <Switch
        label="Decisions about your posts"
        checked={choices.decisions}
        onChange={(decisions) => change({ decisions })}
      />
      <Switch
        label="Weekly digest"
        hint="A mail each Monday: new posts of people you follow, and finished stories."
        checked={choices.weekly}
        onChange={(weekly) => change({ weekly, timeZone: ownTimeZone() })}
      />
      <hr className="border-line" />
      <Times choices={choices} onChange={(changes) => change({ ...changes, timeZone: ownTimeZone() })} />
    </>
  )
}

interface TimesProps {
  choices: AwayNotificationChoices
  onChange: (changes: Changes) => void
}

/** When the person is told. */
function Times({ choices: { quietHours, digestHour, timeZone }, onChange }: TimesProps) {
  return (
    <>
      <Switch
        label="Quiet hours"
        hint="What happens then waits until they end."
        checked={quietHours !== null}
        onChange={(isOn) => onChange({ quietHours: isOn ? { from: 22, to: 7 } : null })}
      />
      {quietHours && (
        <div className="grid max-w-sm grid-cols-2 gap-4">
          <HourField
            label="From"
            value={quietHours.from}
            without={quietHours.to}
            onChange={(from) => onChange({ quietHours: { ...quietHours, from } })}
          />
          <HourField
            label="Until"
            value={quietHours.to}
            without={quietHours.from}
            onChange={(to) => onChange({ quietHours: { ...quietHours, to } })}
          />
        </div>
      )}
      <Switch
        label="One mail a day"
        hint="It collects what would come by single mails and pushes."
        checked={digestHour !== null}
        onChange={(isOn) => onChange({ digestHour: isOn ? 8 : null })}
      />
      {digestHour !== null && (
        <div className="grid max-w-sm grid-cols-2 gap-4">
          <HourField label="At" value={digestHour} onChange={(hour) => onChange({ digestHour: hour })} />
        </div>
      )}
      {(quietHours !== null || digestHour !== null) && (
        <p className="text-xs text-ink-soft">In the time of {timeZone.replaceAll('_', ' ')}.</p>
      )}
    </>
  )
}

interface HourFieldProps {
  label: string
  value: number
  /** An hour that cannot be chosen. */
  without?: number
  onChange: (value: number) => void
}

const HourField = ({ label, value, without, onChange }: HourFieldProps) => (
  <SelectField label={label} value={value} onChange={({ target }) => onChange(Number(target.value))}>
    {Array.from({ length: 24 }, (_, each) => each)
      .filter((each) => each !== without)
      .map((each) => (
        <option key={each} value={each}>
          {timeOfDay(new Date(each * 3_600_000), { timeZone: 'UTC' })}
        </option>
      ))}
  </SelectField>
)

const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Shows a change at once, and what is stored again when it could not be saved. */
function useChoices({ stored, save }: ChoicesFormProps) {
  const toast = useToast()
  const [shown, setShown] = useState(stored)
  const saved = useRef(stored)
  const inTurn = useRef<Promise<void>>(Promise.resolve())
  const send = async (changes: Changes) => {
    const answer = await save(changes)
    if (answer !== undefined) return void (saved.current = answer)
    setShown(saved.current)
    toast({ title: 'This choice could not be saved, so it has not changed.', tone: 'destructive' })
  }
  // Sent one after the other: a retry of an earlier change must not overwrite a later one.
  const change = (changes: Changes) => {
    setShown((known) => ({ ...known, ...changes }))
    inTurn.current = inTurn.current.then(() => send(changes))
  }
  return [shown, change] as const
}
