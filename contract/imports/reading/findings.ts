import type { ImportedEntry, ImportedFile, ImportFormat, ImportProblem } from '../entry.ts'
import { ImportRefused, itemsMax, NotUnderstood, textsMaxBytes, textsMaxMiB } from './refused.ts'
import { isBlank, withLf } from '#contract/text.ts'

/** What entries have beside their text and an import leaves out. Each kind is one line of a report, with a count. */
export type Detail = 'place' | 'weather' | 'tags' | 'comments' | 'mood' | 'front matter'

const detailNames: Record<Detail, string> = {
  place: 'Places',
  weather: 'Weather data',
  tags: 'Tags',
  comments: 'Comments of readers',
  mood: 'Moods',
  'front matter': 'Other fields of the front matter',
}

/**
 * Collects what a file holds. Each text, each picture and each other file is counted once: as an entry, as not understood or
 * as skipped. A picture that an entry names is reported with the place of the entry, and its file is not counted again.
 * Details, such as places, count as one skipped thing for each kind.
 */
export class Findings {
  readonly #entries: ImportedEntry[] = []
  readonly #notUnderstood: ImportProblem[] = []
  readonly #skipped: ImportProblem[] = []
  readonly #attachments = new Set<string>()
  readonly #details = new Map<Detail, { place: string; count: number }>()
  #unknownZones: { place: string; count: number } | undefined
  #textBytes = 0

  add(entry: ImportedEntry): void {
    this.#entries.push(entry)
    // V8 keeps a text of ASCII in one byte a character, and most other texts in two.
    this.#textBytes += entry.text.length * (isAscii(entry.text) ? 1 : 2)
    if (this.#textBytes > textsMaxBytes)
      throw new ImportRefused(`This file holds more than ${textsMaxMiB} MiB of text. Please divide it.`)
    this.#refuseTooMany()
  }

  /** Adds a text of another program, without the characters that no text of ours may hold. A blank one is skipped. */
  addForeign(entry: ImportedEntry): void {
    const text = storable(entry.text)
    const title = 'title' in entry ? storable(entry.title) : ''
    if (isBlank(text) && isBlank(title)) this.skip(entry.place, 'This entry has no text.')
    else this.add('title' in entry ? { ...entry, title, text } : { ...entry, text })
  }

  /** Reports an entry or a file that could not be read. */
  notUnderstand(place: string, reason: string): void {
    this.#notUnderstood.push({ place, reason })
    this.#refuseTooMany()
  }

  /** Reports an entry or a file that is not imported. */
  skip(place: string, reason: string): void {
    this.#skipped.push({ place, reason })
    this.#refuseTooMany()
  }

  /** A picture, recording or other file of an entry. `file` is its path in the import, when there is one. */
  skipAttachment(place: string, name: string, file = name): void {
    this.#attachments.add(file)
    const label = name.startsWith('data:') ? 'a picture inside the text' : name.slice(0, 200)
    this.skip(place, `Pictures and attachments are not imported: ${label}`)
  }

  /** Whether a file of the import is already reported as an attachment of an entry. */
  isKnownAttachment = (path: string): boolean => this.#attachments.has(path)

  /** Counts details of an entry that are not imported. The report has one line for each kind. */
  leaveOut(detail: Detail, place: string, count = 1): void {
    const found = this.#details.get(detail)
    if (found) found.count += count
    else this.#details.set(detail, { place, count })
  }

  /** The time zone of an entry is unknown, so its day is the day in UTC. */
  noteUnknownZone(place: string): void {
    this.#unknownZones ??= { place, count: 0 }
    this.#unknownZones.count++
  }

  /** Runs a reader of one entry. What the reader throws about this entry stops no other entry. */
  attempt(place: string, read: () => void): void {
    try {
      read()
    } catch (error) {
      this.#fail(place, error)
    }
  }

  /** Runs a reader of one file, likewise. */
  async attemptFile(path: string, read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      this.#fail(path, error)
    }
  }

  /** Why nothing was read, when there is one reason. */
  onlyReason(): string | undefined {
    const problems = [...this.#notUnderstood, ...this.#skipped]
    return problems.length === 1 ? problems[0]!.reason : undefined
  }

  result(format: ImportFormat): ImportedFile {
    return {
      format,
      entries: this.#entries,
      notUnderstood: this.#notUnderstood,
      skipped: [...this.#skipped, ...this.#detailProblems()],
    }
  }

  *#detailProblems(): Generator<ImportProblem> {
    for (const [detail, { place, count }] of this.#details)
      yield { place, reason: `${detailNames[detail]} are not imported. Found: ${count}` }
    if (this.#unknownZones) {
      const { place, count } = this.#unknownZones
      yield { place, reason: `Unknown time zones were taken as UTC. Entries with such a zone: ${count}` }
    }
  }

  #fail(place: string, error: unknown): void {
    if (!(error instanceof NotUnderstood)) throw error
    this.notUnderstand(place, error.message)
  }

  #refuseTooMany(): void {
    if (this.#entries.length + this.#notUnderstood.length + this.#skipped.length > itemsMax)
      throw new ImportRefused(`This file holds more than ${itemsMax} entries. Please divide it.`)
  }
}

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)

/** A database keeps neither U+0000 nor lone surrogates, and other controls show nothing. */
const storable = (text: string) => withLf(text).replace(controls, '').toWellFormed()

// oxlint-disable-next-line no-control-regex
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f]/g
