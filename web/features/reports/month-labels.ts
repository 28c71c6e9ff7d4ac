/** A label is about as wide as this many weeks. */
const weeksOfLabel = 3

/** The names of the months, each at the first shown week that begins in it. A name without enough room is left out. */
export function monthLabels(weekStarts: readonly string[]): { name: string; week: number }[] {
  return weekStarts
    .map((start, week) => ({
      month: start.slice(0, 7),
      name: short.format(new Date(`${start}T12:00:00Z`)),
      week,
    }))
    .filter(({ month }, i, all) => month !== all[i - 1]?.month)
    .filter(({ week }, i, all) => (all[i + 1]?.week ?? weekStarts.length) - week >= weeksOfLabel)
    .map(({ name, week }) => ({ name, week }))
}

const short = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })
