import { suspensionEndError } from '#contract/account/suspensions/rules.ts'

/** The end of a suspension as an admin chooses it: after a number of days, at the start of a day, for good, or as it is. */
export type EndChoice = '1' | '7' | '30' | 'day' | 'forGood' | 'kept'

/** What an admin chooses about a suspension, beside the reason. */
export interface SuspensionChoices {
  end: EndChoice
  /** As the field has it, in the time zone of this device. */
  day: string
  hidesTexts: boolean
}

interface Chosen extends Pick<SuspensionChoices, 'end' | 'day'> {
  /** The present end. */
  kept: string | null
  now: Date
}

export type ChosenEnd = { until: string | null } | { error: string }

const dayMs = 24 * 60 * 60 * 1000

/** When the person can sign in again, null for good; or why nobody can be suspended until then. */
export function endOf({ end: choice, day, kept, now }: Chosen): ChosenEnd {
  if (choice === 'forGood') return { until: null }
  if (choice === 'kept') return { until: kept }
  const until = choice === 'day' ? new Date(`${day}T00:00`) : new Date(now.getTime() + Number(choice) * dayMs)
  if (Number.isNaN(until.getTime())) return { error: 'Please choose a day.' }
  const error = suspensionEndError(until, now)
  return error === undefined ? { until: until.toISOString() } : { error }
}
