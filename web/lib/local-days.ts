import type * as z from 'zod/mini'
import { isDay } from '#contract/days.ts'

/** The days of one kind that this browser keeps for one person, one key a day. */
export interface LocalDays<Row> {
  read(day: string): Row | undefined
  /** Answers whether there was room for it. */
  write(day: string, row: Row): boolean
  remove(day: string): void
  /** In the order of the calendar. */
  all(): Row[]
  /** Changes with every write, in whichever tab. */
  version(): string
}

/** Storage that is full, forbidden or missing keeps nothing; a row that cannot be read is set aside, not deleted. */
export function localDays<Row>(
  kind: 'diary' | 'notes',
  owner: string,
  schema: z.ZodMiniType<Row>,
): LocalDays<Row> {
  const prefix = `${kind}:${owner}:`
  const versionKey = `${prefix}version`
  const known = new Map<string, { text: string; row: Row }>()

  function read(day: string): Row | undefined {
    const text = safely(() => localStorage.getItem(prefix + day), null)
    if (text === null) return undefined
    const seen = known.get(day)
    if (seen?.text === text) return seen.row
    const row = parsed(text)
    if (row === undefined) setAside(day, text)
    else known.set(day, { text, row })
    return row
  }

  function parsed(text: string): Row | undefined {
    try {
      return schema.parse(JSON.parse(text))
    } catch {
      return undefined
    }
  }

  function setAside(day: string, text: string) {
    safely(() => {
      localStorage.setItem(`${prefix}damaged:${day}`, text)
      localStorage.removeItem(prefix + day)
    }, undefined)
  }

  function changed() {
    localStorage.setItem(versionKey, String((Number(localStorage.getItem(versionKey)) || 0) + 1))
  }

  return {
    read,
    write: (day, row) =>
      safely(() => {
        localStorage.setItem(prefix + day, JSON.stringify(row))
        changed()
        return true
      }, false),
    remove: (day) =>
      safely(() => {
        localStorage.removeItem(prefix + day)
        changed()
      }, undefined),
    all: () =>
      safely(() => Object.keys(localStorage), [])
        .flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []))
        .filter(isDay)
        .toSorted()
        .flatMap((day) => read(day) ?? []),
    version: () => safely(() => localStorage.getItem(versionKey), null) ?? '',
  }
}

function safely<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}
