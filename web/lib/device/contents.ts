import { deviceDatabase } from './database.ts'
import { batchesOf } from './days.ts'

/** How much of one kind this device keeps. */
export interface Amount {
  kind: string
  count: number
  bytes: number
}

/** What the database keeps of a person, by kind. The sizes are those of the texts, without what the browser adds. */
export async function amountsOf(owner: string, kindsOfDays: readonly string[]): Promise<Amount[]> {
  const amounts = new Map<string, Amount>()
  const add = (kind: string, values: readonly unknown[]) => {
    const { count, bytes } = amounts.get(kind) ?? { count: 0, bytes: 0 }
    amounts.set(kind, { kind, count: count + values.length, bytes: bytes + sizeOf(values) })
  }
  for (const kind of kindsOfDays)
    for await (const rows of batchesOf(owner, kind))
      add(
        kind,
        rows.map(({ value }) => value),
      )
  const database = await deviceDatabase()
  const keys = (await database?.getAllKeys('answers', IDBKeyRange.bound([owner], [owner, []]))) ?? []
  for (const key of keys) {
    const row = await database?.get('answers', key)
    // A row of a kind of days has no content: it says that all days are kept.
    if (row && !kindsOfDays.includes(row.kind)) add(row.kind, [row.value])
  }
  return [...amounts.values()]
}

export const sizeOf = (values: readonly unknown[]): number =>
  new Blob(values.map((value) => JSON.stringify(value))).size

/** The files of the program that the service worker keeps. */
export async function programFiles(): Promise<Amount> {
  let [count, bytes] = [0, 0]
  // Missing on plain http.
  const names = 'caches' in globalThis ? await caches.keys() : []
  for (const name of names) {
    const files = await (await caches.open(name)).matchAll()
    count += files.length
    for (const file of files) bytes += (await file.blob()).size
  }
  return { kind: 'program', count, bytes }
}
