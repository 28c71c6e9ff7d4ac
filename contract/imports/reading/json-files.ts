import type { ImportFormat } from '../entry.ts'
import { dayOneReader } from './day-one.ts'
import { utf8Pieces } from './decode.ts'
import type { Findings } from './findings.ts'
import { ghostReader } from './ghost.ts'
import { journivReader } from './journiv.ts'
import type { FileOf, JsonReader } from './json-reader.ts'
import { JsonScanner, type ReadElement } from './json-scanner.ts'
import { NotUnderstood, unknownProgram } from './refused.ts'
import { hasExtension, type SourceFile } from './source.ts'
import { fieldsOf } from './values.ts'

type JsonFormat = 'dayone' | 'journiv' | 'ghost'

const readers: Record<JsonFormat, (path: string, findings: Findings, fileOf: FileOf) => JsonReader> = {
  dayone: dayOneReader,
  journiv: journivReader,
  ghost: ghostReader,
}

/** The lists of entries of each program, by the names that lead to them. */
const formats: Record<string, JsonFormat> = {
  entries: 'dayone',
  'journals.*.entries': 'journiv',
  'db.*.data.posts': 'ghost',
  'data.posts': 'ghost',
}

/** Reads all JSON files: Day One writes one for each journal. Undefined: no program that is known wrote any of them. */
export async function readJsonFiles(
  files: readonly SourceFile[],
  findings: Findings,
): Promise<ImportFormat | undefined> {
  const byStem = new Map(files.map(({ path }) => [withoutExtension(path), path]))
  let known: JsonFormat | undefined
  for (const file of files.filter(({ path }) => hasExtension(path, 'json'))) {
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1)
    const fileOf = (name: string) => byStem.get(folder + withoutExtension(name))
    await findings.attemptFile(file.path, async () => {
      let found: { format: JsonFormat; reader: JsonReader } | undefined
      let isOther = false
      const scanner = new JsonScanner(Object.keys(formats), (list, read) => {
        isOther ||= !found && list === 'entries' && !isOfDayOne(scanner, read)
        if (isOther) return
        const format = formats[list]!
        found ??= { format, reader: readers[format](file.path, findings, fileOf) }
        known ??= format
        if (found.format === format) found.reader.add(read)
      })
      for await (const piece of utf8Pieces(file.pieces())) scanner.push(piece)
      const rest = scanner.rest()
      if (rest === undefined) throw new NotUnderstood('This file is cut or damaged: it is no valid JSON.')
      found?.reader.end?.(rest)
      if (!found && isEmptyJournal(rest)) known ??= 'dayone'
      else if (!found) findings.skip(file.path, unknownProgram)
    })
  }
  return known
}

/** Many programs write lists of entries. */
function isOfDayOne(scanner: JsonScanner, read: ReadElement): boolean {
  if (scanner.hasSeen('metadata')) return true
  try {
    const first = fieldsOf(read())
    return first['creationDate'] !== undefined || first['richText'] !== undefined
  } catch {
    return false
  }
}

function isEmptyJournal(rest: unknown): boolean {
  const { entries, metadata } = fieldsOf(rest)
  return Array.isArray(entries) && metadata !== undefined
}

const withoutExtension = (path: string) => path.replace(/\.[a-z0-9]{1,10}$/i, '')
