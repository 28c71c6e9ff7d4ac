import type { FastifyInstance } from 'fastify'
import { repeat } from './repeat.ts'

export type Counted<Entry> = Entry & { count: number }

const minuteMs = 60 * 1000
const maxCallers = 10_000
const writtenAtOnce = 1000

export interface Tally<Entry> {
  /** Counts one entry of a caller; entries about the same thing are written as one. */
  add: (caller: string, about: string, entry: Entry) => Promise<void>
  /** Writes what was counted every minute, and when the server closes. */
  keepOn: (app: FastifyInstance, name: string) => void
}

/**
 * Counts entries by caller, and writes one row for each caller and subject every minute (S52). The first entry of a
 * caller since the last write is written at once, so that a crash leaves a trace.
 */
export function createTally<Entry extends object>(
  write: (entries: Counted<Entry>[]) => Promise<void>,
): Tally<Entry> {
  /** What was counted in this minute, by caller and by what it is about. */
  let callers = new Map<string, Map<string, Counted<Entry>>>()
  /** What was counted in the minutes before and is not written yet. */
  const waiting: Counted<Entry>[] = []
  let writing: Promise<void> | undefined

  const flush = () => (writing ??= writeAll().finally(() => (writing = undefined)))
  const writeAll = async () => {
    for (const entries of callers.values()) waiting.push(...entries.values())
    callers = new Map()
    while (waiting.length > 0) {
      const portion = waiting.slice(0, writtenAtOnce)
      await write(portion)
      waiting.splice(0, portion.length)
    }
  }

  return {
    async add(caller, about, entry) {
      const entries = callers.get(caller)
      if (entries === undefined) {
        if (callers.size >= maxCallers) await flush()
        const counted = new Map<string, Counted<Entry>>()
        callers.set(caller, counted)
        const first = { ...entry, count: 1 }
        try {
          return await write([first])
        } catch (error) {
          // It is written again with the others, when the minute is over.
          const known = counted.get(about)
          if (known === undefined) counted.set(about, first)
          else known.count++
          throw error
        }
      }
      const known = entries.get(about)
      if (known === undefined) entries.set(about, { ...entry, count: 1 })
      else known.count++
    },
    keepOn(app, name) {
      repeat(app, name, minuteMs, flush)
      app.addHook('onClose', async () => {
        try {
          await writing?.catch(() => {})
          await flush()
        } catch (error) {
          app.log.error({ err: error }, `${name} failed`)
        }
      })
    },
  }
}
