import { isDay } from '#contract/days.ts'
import { cached } from './cached.ts'
import {
  personKey,
  type StoredItem,
  type StoredSchema,
  storedJson,
  storedKeys,
  storedText,
} from './storage.ts'

/** The days of one kind that this browser keeps for one person, one key for each day. */
export interface LocalDays<Row> {
  read(day: string): Row | undefined
  /** Answers whether there was room for the row. */
  write(day: string, row: Row): boolean
  remove(day: string): void
  /** In the order of their dates. */
  all(): Row[]
  isEmpty(): boolean
  /** Differs after every change of a day, made in this tab or in another one. */
  version(): string
}

/** A row that cannot be read is moved to another key. */
export function localDays<Row>(kind: string, owner: string, schema: StoredSchema<Row>): LocalDays<Row> {
  const keyOf = (...rest: string[]) => personKey(kind, owner, ...rest)
  const prefix = keyOf('')
  const version = storedText(keyOf('version'))
  const items = new Map<string, StoredItem<Row, undefined>>()

  const itemOf = (day: string) =>
    cached(items, day, () =>
      storedJson({ key: keyOf(day), schema, fallback: undefined, damagedKey: keyOf('damaged', day) }),
    )

  const countChange = () => version.write(String((Number(version.read()) || 0) + 1))

  const days = () =>
    storedKeys('localStorage')
      .flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []))
      .filter(isDay)

  return {
    read: (day) => itemOf(day).read(),
    write: (day, row) => itemOf(day).write(row) && countChange(),
    remove: (day) => {
      itemOf(day).remove()
      countChange()
    },
    all: () =>
      days()
        .toSorted()
        .flatMap((day) => itemOf(day).read() ?? []),
    isEmpty: () => days().length === 0,
    version: () => version.read() ?? '',
  }
}
