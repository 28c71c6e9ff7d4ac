import { ImportRefused, itemsMax } from './refused.ts'

/** The rows of a CSV file (RFC 4180) as objects with those of the columns that its first line names. */
export function readCsv(text: string, columns: readonly string[]): Record<string, string>[] {
  const [names = [], ...rows] = cellsOf(text)
  const trimmed = names.map((name) => name.trim())
  const found = columns
    .map((column) => ({ column, at: trimmed.indexOf(column) }))
    .filter(({ at }) => at !== -1)
  return rows
    .filter((row) => row.length > 1 || row[0] !== '')
    .map((row) => Object.fromEntries(found.map(({ column, at }) => [column, row[at] ?? ''])))
}

const cellsMax = 1_000_000

/** A cell in quotes may hold commas and line breaks; two quotes in it are one. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  const ends = /[,\n]/g
  for (let at = 0, cells = 0; ; cells++) {
    if (cells > cellsMax || rows.length > itemsMax)
      throw new ImportRefused('This CSV file has too many rows.')
    const quoted = text[at] === '"' ? quotedCell(text, at) : undefined
    ends.lastIndex = quoted?.end ?? at
    const end = ends.exec(text)
    rows.at(-1)!.push(quoted?.cell ?? text.slice(at, end?.index).replace(/\r$/, ''))
    if (end === null) return rows
    if (end[0] === '\n') rows.push([])
    at = end.index + 1
  }
}

/** A quote that never ends takes the rest of the file. */
function quotedCell(text: string, start: number): { cell: string; end: number } {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at)
    if (at === -1 || text[at + 1] !== '"') {
      const end = at === -1 ? text.length : at
      return { cell: text.slice(start + 1, end).replaceAll('""', '"'), end }
    }
  }
}
