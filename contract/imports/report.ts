import type { ImportCounts } from './counts.ts'
import type { PlannedProblem } from './item.ts'

/** What an import will do, or did, as a text: the counts in one line, then each problem with its place and reason. */
export const importReport = (counts: ImportCounts, problems: readonly PlannedProblem[]): string =>
  [countsLine(counts), ...problems.map(({ place, reason }) => `${oneLine(place)}: ${oneLine(reason)}`)].join(
    '\n',
  )

const countsLine = ({ new: added, same, conflict, notUnderstood, skipped }: ImportCounts) =>
  `new ${added}, same ${same}, conflict ${conflict}, not understood ${notUnderstood}, skipped ${skipped}`

/** A name in a file may contain line breaks and control characters, which would look like further lines. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
