import { useState } from 'react'
import { dayOf } from '#contract/days.ts'
import { publishTimeError } from '#contract/feed/scheduled/rules.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useClock } from '#web/lib/interval.ts'
import { timeOfDay, useClockFormat } from '#web/lib/locale.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { longDate } from '#web/lib/Time.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextField } from '#web/ui/TextField.tsx'

/** As the fields have them, in the time zone of the reader. */
export interface DayAndTime {
  day: string
  time: string
}

export type PublishTime = ReturnType<typeof usePublishTime>

/** The time at which a post will be published; null for now. `first` is a time that was chosen before. */
export function usePublishTime(first?: string) {
  const [chosen, choose] = useState(first === undefined ? null : partsOf(new Date(first)))
  const error = useClock(() => (chosen === null ? undefined : errorOf(chosen)) ?? '')
  const at = chosen && instantOf(chosen)
  return {
    chosen,
    choose,
    publishAt: at === null || Number.isNaN(at.getTime()) ? null : at.toISOString(),
    /** Why no post can be scheduled for this time. */
    error: error || undefined,
  }
}

function errorOf(chosen: DayAndTime): string | undefined {
  const at = instantOf(chosen)
  if (Number.isNaN(at.getTime())) return 'Please choose a day and a time.'
  return publishTimeError(at, new Date(serverNow()))
}

const instantOf = ({ day, time }: DayAndTime) => new Date(`${day}T${time}`)

function partsOf(at: Date): DayAndTime {
  const [month, day, hour, minute] = [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()].map(
    (part) => String(part).padStart(2, '0'),
  )
  return { day: `${at.getFullYear()}-${month}-${day}`, time: `${hour}:${minute}` }
}

/** The next full hour that is at least an hour away. */
function proposedTime(): DayAndTime {
  const at = new Date(serverNow())
  at.setHours(at.getHours() + 2, 0, 0, 0)
  return partsOf(at)
}

interface FieldsProps {
  time: PublishTime
  /** Why the server refused the time. */
  refusal: string | undefined
}

/** The choice between now and a later time. */
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
export function DayAndTimeFields({ time: { chosen, choose, publishAt, error }, refusal }: FieldsProps) {
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
          onChange={(event) => choose({ ...parts, day: event.target.value })}
        />
        <TextField
          label="Time"
          type="time"
          value={parts.time}
          error={error ?? refusal}
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
