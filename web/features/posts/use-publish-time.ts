import { useState } from 'react'
import { publishTimeError } from '#contract/feed/scheduled/rules.ts'
import { useClock } from '#web/lib/interval.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { timeInField } from '#web/lib/time-in-field.ts'
import { dayHere } from '#web/lib/today.ts'

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
export function proposedTime(): DayAndTime {
  const at = new Date(serverNow())
  at.setMinutes(120, 0, 0)
  return fieldsOf(at)
}
