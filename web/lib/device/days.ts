import { type DayRow, deviceDatabase, write } from './database.ts'
import { format, mayReplace, valueOf } from './formats.ts'

/** A day as the server answers it, with the time of its last save as the version. */
export interface Day {
  day: string
  version: string
  value: unknown
}

/** So few that neither reading nor writing them blocks the page. */
const readAtOnce = 200
const writtenAtOnce = 40

/** The keys of the days of one kind after a day: an array sorts behind every text. */
const daysOf = (owner: string, kind: string, after = '') =>
  IDBKeyRange.bound([owner, kind, after], [owner, kind, []], true)

/** All kept rows of a kind, in the order of their days, in batches. */
export async function* batchesOf(owner: string, kind: string): AsyncGenerator<DayRow[], void> {
  const database = await deviceDatabase()
  for (let after = ''; database !== undefined;) {
    const rows = await database.getAll('days', daysOf(owner, kind, after), readAtOnce)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)!.day
  }
}

/** The values of all kept days, in the order of the days. */
export async function readDays(owner: string, kind: string): Promise<unknown[]> {
  const values = []
  for await (const rows of batchesOf(owner, kind))
    for (const row of rows) {
      const value = valueOf(row)
      if (value !== undefined) values.push(value)
    }
  return values
}

/** The values of the newest kept days, the newest first. */
export async function readNewestDays(owner: string, kind: string, count: number): Promise<unknown[]> {
  const rows = (await deviceDatabase())?.transaction('days').store.iterate(daysOf(owner, kind), 'prev')
  const values = []
  if (rows)
    for await (const { value: row } of rows) {
      const value = valueOf(row)
      if (value !== undefined) values.push(value)
      if (values.length === count) break
    }
  return values
}

export async function readDay(owner: string, kind: string, day: string): Promise<unknown> {
  const row = await (await deviceDatabase())?.get('days', [owner, kind, day])
  return row && valueOf(row)
}

/** Writes the days of one kind into the database. It remembers the versions that are there, and writes only the days that differ. */
export class DayKeeper {
  readonly #owner: string
  readonly #kind: string
  /** The version of each day in the store. */
  #known: Map<string, string> | undefined

  constructor(owner: string, kind: string) {
    this.#owner = owner
    this.#kind = kind
  }

  async keep(days: readonly Day[], keptAt: number): Promise<void> {
    const known = await this.#versions()
    const changed = days.filter(({ day, version }) => known.get(day) !== version)
    for (const part of partsOf(changed)) {
      await write(this.#owner, async (database) => {
        const rows = database.transaction('days', 'readwrite')
        const stored = await Promise.all(
          part.map(({ day }) => rows.store.get([this.#owner, this.#kind, day])),
        )
        const newer = part.filter(({ version }, index) => {
          const before = stored[index]
          return mayReplace(before, keptAt) && (before?.version ?? '') <= version
        })
        const place = { owner: this.#owner, kind: this.#kind, format, keptAt }
        await Promise.all([...newer.map((day) => rows.store.put({ ...place, ...day })), rows.done])
        for (const { day, version } of part) known.set(day, version)
      })
    }
  }

  /** Removes the days that the server has no more. `askedAt` is when it was asked: another tab may have kept a day since. */
  async forgetAllBut(days: readonly Day[], askedAt: number): Promise<void> {
    const known = await this.#versions()
    const listed = new Set(days.map(({ day }) => day))
    for (const part of partsOf([...known.keys()].filter((day) => !listed.has(day)))) {
      await write(this.#owner, async (database) => {
        const rows = database.transaction('days', 'readwrite')
        for (const day of part) {
          const row = await rows.store.get([this.#owner, this.#kind, day])
          if (mayReplace(row, askedAt)) await rows.store.delete([this.#owner, this.#kind, day])
        }
        await rows.done
        for (const day of part) known.delete(day)
      })
    }
  }

  /** Reads the versions again when the number of rows has changed: rows were removed, or another tab has added some. */
  async #versions() {
    const database = await deviceDatabase()
    const count = await database?.count('days', daysOf(this.#owner, this.#kind))
    if (this.#known?.size !== count || this.#known === undefined) {
      const known = new Map<string, string>()
      for await (const rows of batchesOf(this.#owner, this.#kind))
        for (const { day, version } of rows) known.set(day, version)
      this.#known = known
    }
    return this.#known
  }
}

function* partsOf<Item>(items: readonly Item[]) {
  for (let from = 0; from < items.length; from += writtenAtOnce) yield items.slice(from, from + writtenAtOnce)
}
