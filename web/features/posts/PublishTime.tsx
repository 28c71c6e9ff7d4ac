import { dayOf } from '#contract/days.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { timeOfDay, useClockFormat } from '#web/lib/locale.ts'
import { longDate } from '#web/lib/Time.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { type PublishTime, proposedTime } from './use-publish-time.ts'

interface FieldsProps {
  time: PublishTime
  refusal: string | undefined
}

export function PublishTimeFields({ time, refusal }: FieldsProps) {
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        legend="When to publish"
        inline
        options={[
          { value: 'now', label: 'Now' },
          { value: 'later', label: 'Publish on …' },
        ]}
        value={time.chosen === null ? 'now' : 'later'}
        onChange={(value) => time.choose(value === 'now' ? null : proposedTime())}
      />
      {time.chosen !== null && <DayAndTimeFields time={time} refusal={refusal} />}
    </div>
  )
}

/** A day and a time, and in words the time zone in which they are. */
export function DayAndTimeFields({ time, refusal }: FieldsProps) {
  const { chosen, choose, publishAt, error, isErrorOfDay } = time
  const { timeZone } = useAppConfig()
  const parts = chosen ?? { day: '', time: '' }
  const feedDay = publishAt && dayOf(new Date(publishAt), timeZone)
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField
          label="Day"
          type="date"
          value={parts.day}
          error={isErrorOfDay ? error : undefined}
          onChange={(event) => choose({ ...parts, day: event.target.value })}
        />
        <TextField
          label="Time"
          type="time"
          value={parts.time}
          error={isErrorOfDay ? undefined : (error ?? refusal)}
          onChange={(event) => choose({ ...parts, time: event.target.value })}
        />
      </div>
      <p className="text-xs text-ink-soft">
        {zoneSentence()}
        {publishAt !== null &&
          feedDay !== parts.day &&
          ` The feed goes by ${timeZone.replaceAll('_', ' ')}: there it stands under ${longDate(publishAt, timeZone)}.`}
      </p>
    </div>
  )
}

/** Says in words in which time zone the reader sees times. */
export function zoneSentence(): string {
  const [generic, exact] = (['longGeneric', 'long'] as const).map(
    (timeZoneName) =>
      new Intl.DateTimeFormat('en', { timeZoneName })
        .formatToParts()
        .find(({ type }) => type === 'timeZoneName')!.value,
  )
  // Not each zone has a name for summer and winter alike.
  return `Times are in ${generic!.startsWith('GMT') ? exact : generic}.`
}

/** A moment by the clock and in the time zone of the reader. */
export function LocalTime({ at }: { at: string }) {
  const clock = useClockFormat()
  return <time dateTime={at}>{timeOfDay(at, dayFormat, clock)}</time>
}

const dayFormat = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const
