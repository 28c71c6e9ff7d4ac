import { noteMaxLength } from '#contract/calendar/note.ts'
import { entryMaxLength } from '#contract/diary/entry.ts'
import { fits, isBlank, lengthInCodePoints, withLf } from '#contract/text.ts'
import { byteLength, textRefusal } from './checks.ts'
import { noCounts } from './counts.ts'
import type { ImportedDay, ImportFormat } from './entry.ts'
import { formatNames } from './format-names.ts'
import type { ImportItem, PlannedProblem } from './item.ts'

export type DayKind = ImportedDay['of']
const dayMaxLength: Record<DayKind, number> = { diary: entryMaxLength, calendar: noteMaxLength }

/** The text of a day as it is stored; a day without a text has no `updatedAt`. */
export interface StoredDay {
  text: string
  updatedAt: string | null
}

export interface DayWrite {
  kind: 'day'
  of: DayKind
  day: string
  /** The whole new text of the day. */
  text: string
  base: string | null
  /** When the text was written, if it is the text of one entry that says so. */
  writtenAt: string | undefined
  /** The places of the entries that the text was extended by. */
  places: string[]
  /** All entries of the file for this day, for a plan with a newer stored text. */
  entries: ImportedDay[]
}

interface DayPlan extends ImportItem<DayWrite> {
  /** The bytes by which the text of the day grows. */
  addedBytes: number
}

interface Bounds {
  format: ImportFormat
  /** The bytes that the texts of all days may still grow by. */
  bytesLeft: number
  /** Why an entry is skipped that exceeds them. */
  fullReason: string
}

/**
 * Plans to add the entries of one day to its stored text, in the order of their times. An entry whose text is in the day
 * already is the same. So a second import changes nothing, and no earlier import is remembered.
 */
export function planDay(entries: ImportedDay[], stored: StoredDay, bounds: Bounds): DayPlan {
  const counts = noCounts()
  const problems: PlannedProblem[] = []
  const { of, day } = entries[0]!
  const skip = ({ place }: ImportedDay, reason: string) => {
    counts.skipped++
    problems.push({ kind: 'skipped', place, reason })
  }

  const max = dayMaxLength[of]
  const isEmpty = isBlank(stored.text)
  const heading = isEmpty ? '' : `${stored.text}${gap}Imported from ${formatNames[bounds.format]}${gap}`
  let length = lengthInCodePoints(heading)
  let bytes = byteLength(heading)
  const bytesBefore = byteLength(stored.text)
  const added: ImportedDay[] = []
  const isDuplicate = createDuplicateCheck(stored.text)
  for (const entry of inOrder(entries)) {
    const refusal = textRefusal(entry.text)
    if (refusal !== undefined) {
      skip(entry, refusal)
      continue
    }
    if (isDuplicate(entry)) {
      counts.same++
      continue
    }
    const block = (added.length === 0 ? '' : gap) + withTime(entry)
    if (!fits(block, max) || length + lengthInCodePoints(block) > max)
      skip(entry, `The text of a day has at most ${max.toLocaleString('en-US')} characters.`)
    else if (bytes + byteLength(block) - bytesBefore > bounds.bytesLeft) skip(entry, bounds.fullReason)
    else {
      length += lengthInCodePoints(block)
      bytes += byteLength(block)
      added.push(entry)
    }
  }
  if (added.length === 0) return { counts, problems, write: undefined, addedBytes: 0 }
  counts[isEmpty ? 'new' : 'conflict'] = added.length
  if (!isEmpty)
    for (const { place } of added)
      problems.push({ kind: 'conflict', place, reason: `${day} has other text. Both are kept.` })
  const isAlone = isEmpty && added.length === 1
  const text = isAlone ? added[0]!.text : heading + added.map(withTime).join(gap)
  return {
    counts,
    problems,
    write: {
      kind: 'day',
      of,
      day,
      text,
      base: stored.updatedAt,
      writtenAt: isAlone ? added[0]!.updatedAt : undefined,
      places: added.map(({ place }) => place),
      entries,
    },
    addedBytes: bytes - bytesBefore,
  }
}

const gap = '\n\n'

const withTime = ({ time, text }: ImportedDay) => (time === null ? text : `${time}\n${text}`)

/** By time; entries without a time stand first, in the order of the file. */
function inOrder(entries: ImportedDay[]): ImportedDay[] {
  return entries
    .map((entry) => ({ ...entry, text: withLf(entry.text) }))
    .toSorted((one, other) => {
      const [time, otherTime] = [one.time ?? '', other.time ?? '']
      return time < otherTime ? -1 : time > otherTime ? 1 : 0
    })
}

/**
 * Makes a check for duplicates. It says true for an entry that the file had before, or whose text is in the day. Each
 * occurrence in the day counts for one entry. Call it once for each entry.
 */
function createDuplicateCheck(stored: string): (entry: ImportedDay) => boolean {
  const seen = new Set<string>()
  const unused = new Map<string, number>()
  return ({ time, text }) => {
    const key = JSON.stringify([time, text])
    if (seen.has(key)) return true
    seen.add(key)
    const count = unused.get(text) ?? countOccurrences(stored, text)
    unused.set(text, Math.max(0, count - 1))
    return count > 0
  }
}

/** How often a text occurs in another one as whole lines, without overlaps. */
function countOccurrences(stored: string, text: string): number {
  let count = 0
  for (let from = 0; ;) {
    const at = stored.indexOf(text, from)
    if (at === -1) return count
    const end = at + text.length
    const isWhole = (at === 0 || stored[at - 1] === '\n') && (end === stored.length || stored[end] === '\n')
    if (isWhole) count++
    // The next line, not the next character: a text of one repeated character would be compared at each place.
    const lineEnd = stored.indexOf('\n', isWhole ? end : at)
    if (lineEnd === -1) return count
    from = lineEnd + 1
  }
}
