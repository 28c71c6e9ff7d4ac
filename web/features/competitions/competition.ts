import * as z from 'zod/mini'
import { isAddress } from '#contract/account/rules.ts'
import { addDays, daysBetween, dayOf } from '#contract/days.ts'
import { countWords, isBlank } from '#contract/text.ts'

export type CompetitionStatus = 'open' | 'closing-soon' | 'closed'

/** Names of colour tokens. */
export const statusColors = { open: 'good', 'closing-soon': 'warn', closed: 'bad' } as const satisfies Record<
  CompetitionStatus,
  string
>

export interface Competition {
  /** `yyyy-MM` */
  id: string
  title: string
  description: string
  prize: string
  /** The last day on which an entry counts. */
  deadline: string
  submissionLink: string
  category: string
  /** In dollars. */
  entryFee: number
  wordLimit: number
  status: CompetitionStatus
  /** Such as 'June'. */
  month: string
  year: number
}

const wordLimit = 3000
const closingSoonDays = 7

/** The competition of the current month in that time zone. */
export function competitionOf(now: Date, timeZone: string, submissionPortal: string): Competition {
  const today = dayOf(now, timeZone)
  const id = today.slice(0, 7)
  const deadline = lastDayOf(id)
  const month = monthFormat.format(new Date(`${id}-01T00:00:00Z`))
  const year = Number(id.slice(0, 4))
  return {
    id,
    title: `Writing Competition ${month} ${year}`,
    description:
      'Send us one story or one poem that nobody has read before. A small jury of readers chooses the winner in the first week of the next month.',
    prize: 'First prize: $100 plus featured publication. Honourable mentions: $25 plus recognition.',
    deadline,
    submissionLink: submissionPortal,
    category: 'Fiction or Poetry',
    entryFee: 5,
    wordLimit,
    // Never 'closed': the next month's competition opens when this one ends.
    status: daysBetween(today, deadline) > closingSoonDays ? 'open' : 'closing-soon',
    month,
    year,
  }
}

export const isOverWordLimit = (content: string) => countWords(content) > wordLimit

const Required = (message: string) => z.string(message).check(z.refine((text) => !isBlank(text), message))

/** The fields of the entry form. The entrant takes them to the portal: they are never sent to our server. */
export const CompetitionEntry = z.object({
  title: Required('Please enter a title.'),
  content: Required('Please enter your text.'),
  authorName: Required('Please enter your name.'),
  email: Required('Please enter your email.').check(
    z.trim(),
    z.refine(isAddress, 'Please enter an email address.'),
  ),
  bio: z.optional(z.string()),
})
export type CompetitionEntry = z.infer<typeof CompetitionEntry>

// 31 days after the first of a month is always in the next month.
function lastDayOf(month: string): string {
  const nextMonth = addDays(`${month}-01`, 31).slice(0, 7)
  return addDays(`${nextMonth}-01`, -1)
}

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
