import { useRef, useState } from 'react'
import type { AwayNotificationChoices } from '#contract/away-notifications/choices.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { timeOfDay } from '#web/lib/locale.ts'
import { SelectField } from '#web/ui/SelectField.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { TitledGroup } from '#web/ui/TitledGroup.tsx'
import { useToast } from '#web/ui/toasts.tsx'

type Changes = Partial<AwayNotificationChoices>

interface ChoicesFormProps {
  stored: AwayNotificationChoices
  /** Returns what is stored then; undefined when it failed. */
  save: (changes: Changes) => Promise<AwayNotificationChoices | undefined>
}

/** All choices about away notifications, those about mails where this instance sends some. Each takes effect at once. */
export function ChoicesForm({ stored, save }: ChoicesFormProps) {
  const [choices, change] = useChoices({ stored, save })
  const { sendsMail = false } = useAppConfig()
  return (
    <>
      {sendsMail && <Mails choices={choices} onChange={change} />}
      <TitledGroup title="What you are told of">
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
          label="Your turns in slow tables"
          hint="At the start, at half and at the last tenth of a turn."
          checked={choices.turns}
          onChange={(turns) => change({ turns })}
        />
      </TitledGroup>
      <QuietHours choices={choices} onChange={change} />
    </>
  )
}

interface GroupProps {
  choices: AwayNotificationChoices
  onChange: (changes: Changes) => void
}

function Mails({ choices: { byMail, weekly, digestHour, timeZone }, onChange }: GroupProps) {
  const changeHour = (chosen: number | null) => onChange({ digestHour: chosen, timeZone: ownTimeZone() })
  return (
    <TitledGroup title="By mail">
      <Switch
        label="Mails"
        hint="Off: no mail but those about the account itself, such as a new passcode."
        checked={byMail}
        onChange={(isOn) => onChange({ byMail: isOn })}
      />
      <Switch
        label="One mail a day"
        hint="It collects what would come by single mails and pushes."
        checked={digestHour !== null}
        onChange={(isOn) => changeHour(isOn ? 8 : null)}
      />
      {digestHour !== null && (
        <>
          <div className="grid max-w-sm grid-cols-2 gap-4">
            <HourField label="At" value={digestHour} onChange={changeHour} />
          </div>
          <ZoneLine timeZone={timeZone} />
        </>
      )}
      <Switch
        label="Weekly digest"
        hint="A mail each Monday: new posts of people you follow, and finished stories."
        checked={weekly}
        onChange={(isOn) => onChange({ weekly: isOn, timeZone: ownTimeZone() })}
      />
    </TitledGroup>
  )
}

function QuietHours({ choices: { quietHours, timeZone }, onChange }: GroupProps) {
  const change = (hours: AwayNotificationChoices['quietHours']) =>
    onChange({ quietHours: hours, timeZone: ownTimeZone() })
  return (
    <TitledGroup title="When">
      <Switch
        label="Quiet hours"
        hint="What happens then waits until they end."
        checked={quietHours !== null}
        onChange={(isOn) => change(isOn ? { from: 22, to: 7 } : null)}
      />
      {quietHours && (
        <>
          <div className="grid max-w-sm grid-cols-2 gap-4">
            <HourField
              label="From"
              value={quietHours.from}
              without={quietHours.to}
              onChange={(from) => change({ ...quietHours, from })}
            />
            <HourField
              label="Until"
              value={quietHours.to}
              without={quietHours.from}
              onChange={(to) => change({ ...quietHours, to })}
            />
          </div>
          <ZoneLine timeZone={timeZone} />
        </>
      )}
    </TitledGroup>
  )
}

const ZoneLine = ({ timeZone }: { timeZone: string }) => (
  <p className="text-xs text-ink-soft">In the time of {timeZone.replaceAll('_', ' ')}.</p>
)

interface HourFieldProps {
  label: string
  value: number
  /** An hour that cannot be chosen. */
  without?: number
  onChange: (value: number) => void
}

const HourField = ({ label, value, without, onChange }: HourFieldProps) => (
  <SelectField
    label={label}
    options={Array.from({ length: 24 }, (_, hour) => ({
      value: hour,
      label: timeOfDay(new Date(hour * 3_600_000), { timeZone: 'UTC' }),
    })).filter((option) => option.value !== without)}
    value={value}
    onChange={onChange}
  />
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
