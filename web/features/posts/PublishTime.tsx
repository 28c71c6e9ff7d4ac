import { useState } from 'react'
import { dayOf } from '#contract/days.ts'
import { publishTimeError } from '#contract/feed/scheduled/rules.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useClock } from '#web/lib/interval.ts'
import { timeOfDay, useClockFormat } from '#web/lib/locale.ts'
import { timeInField } from '#web/lib/time-in-field.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { longDate } from '#web/lib/Time.tsx'
import { dayHere } from '#web/lib/today.ts'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextField } from '#web/ui/TextField.tsx'

/** As the fields have them, in the time zone of the reader. */
export interface DayAndTime {
  day: string
  time: string
}

export type PublishTime = ReturnType<typeof usePublishTime>

/** What the author of a scheduled post reads. */
export const scheduledNotice = { title: 'Scheduled', description: 'Nobody else sees it before its time.' }

/** The time at which a post will be published; null for now. `first` is a time that was chosen before. */
export function usePublishTime(first?: string) {
  const [chosen, choose] = useState(first === undefined ? null : fieldsOf(new Date(first)))
  const error = useClock(() => (chosen === null ? undefined : errorOf(chosen, first)) ?? '')
  const at = chosen && instantOf(chosen, first)
  return {
    chosen,
    choose,
    publishAt: at === null || isInvalid(at) ? null : at.toISOString(),
    /** Why no post can be scheduled for this time. */
    error: error || undefined,
    /** Whether no other time of this day could be chosen either. */
    isErrorOfDay: chosen !== null && ['00:00', '23:59'].every((time) => errorOf({ ...chosen, time })),
  }
}

function errorOf(chosen: DayAndTime, first?: string): string | undefined {
  if (chosen.day === '') return 'Please choose a day.'
  const at = instantOf(chosen, first)
  if (isInvalid(at)) return 'Please choose a time.'
  const exists = fieldsOf(at).time === chosen.time
  return publishTimeError(at, new Date(serverNow())) ?? (exists ? undefined : noSuchTime)
}

/** When clocks go forward, an hour is missing. */
const noSuchTime = 'This time does not exist on that day.'

/** The first instant while the fields have it: when clocks go back, the same fields name two instants. */
function instantOf({ day, time }: DayAndTime, first?: string): Date {
  const before = first === undefined ? undefined : new Date(first)
  const parts = before && fieldsOf(before)
  return before && parts?.day === day && parts.time === time ? before : new Date(`${day}T${time}`)
}

const isInvalid = (at: Date) => Number.isNaN(at.getTime())

const fieldsOf = (at: Date): DayAndTime => ({ day: dayHere(at), time: timeInField(at) })

/** The next full hour that is at least an hour away. */
function proposedTime(): DayAndTime {
  const at = new Date(serverNow())
  at.setMinutes(120, 0, 0)
  return fieldsOf(at)
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
