import type { FastifyInstance } from 'fastify'
import { schedule } from './schedule.ts'

export type Counted<Entry> = Entry & { count: number }

const minuteMs = 60 * 1000
const maxCallers = 10_000
const writtenAtOnce = 1000
/** The maximum of rows that are kept while the database is unavailable. */
const maxWaiting = 10_000

export type EntryCounter<Entry extends object> = ReturnType<typeof createEntryCounter<Entry>>

/**
 * Counts entries, such as refused calls, by caller and subject (S52). A caller is, for example, one address with one action.
 * The first entry of a caller in a minute is written at once as a row of its own, so that a crash leaves a trace. All others
 * are written when the minute is over: one row with a count for each caller and subject.
 */
export function createEntryCounter<Entry extends object>(
  write: (entries: Counted<Entry>[]) => Promise<void>,
) {
  /** The counts of this minute, by caller and subject. */
  let callers = new Map<string, Map<string, Counted<Entry>>>()
  /** The counts of earlier minutes that are not written yet, by caller and subject. */
  const waiting = new Map<string, Counted<Entry>>()
  /** The number of dropped entries since the last line in the log about them. */
  let dropped = 0
  let writing: Promise<void> | undefined

  const flush = () => (writing ??= writeAll().finally(() => (writing = undefined)))
  const writeAll = async () => {
    for (const [caller, entries] of callers)
      for (const [subject, entry] of entries) addTo(waiting, JSON.stringify([caller, subject]), entry)
    callers = new Map()
    try {
      while (waiting.size > 0) {
        const portion = [...waiting.entries().take(writtenAtOnce)]
        await write(portion.map(([, entry]) => entry))
        for (const [key] of portion) waiting.delete(key)
      }
    } finally {
      dropOldest()
    }
  }
  const dropOldest = () => {
    for (const [key, { count }] of waiting.entries().take(Math.max(0, waiting.size - maxWaiting))) {
      waiting.delete(key)
      dropped += count
    }
  }

  return {
    /** Adds an entry of a caller about a subject. Rejects when the first entry of a caller cannot be written: it is written later. */
    async add(caller: string, subject: string, entry: Entry) {
      const entries = callers.get(caller)
      if (entries === undefined) {
        // When this fails, the counts wait, and this entry is counted below.
        if (callers.size >= maxCallers) await flush().catch(() => {})
        const counted = new Map<string, Counted<Entry>>()
        callers.set(caller, counted)
        const first = { ...entry, count: 1 }
        try {
          return await write([first])
        } catch (error) {
          // The entry is written with the others when the minute is over.
          addTo(counted, subject, first)
          throw error
        }
      }
      addTo(entries, subject, { ...entry, count: 1 })
    },
    /** Writes the counts every minute, and when the server closes. */
    writeEveryMinute(app: FastifyInstance, name: string) {
      const flushAndReport = () =>
        flush().finally(() => {
          if (dropped > 0)
            app.log.error({ dropped }, `${name}: entries were dropped that could not be written`)
          dropped = 0
        })
      schedule(app, name, minuteMs, flushAndReport)
      app.addHook('onClose', async () => {
        try {
          await writing?.catch(() => {})
          await flushAndReport()
        } catch (error) {
          app.log.error({ err: error }, `${name} failed`)
        }
      })
    },
  }
}

/** Adds an entry, or its count to that of the entry with the same key. */
function addTo<Entry>(entries: Map<string, Counted<Entry>>, key: string, entry: Counted<Entry>) {
  const known = entries.get(key)
  if (known === undefined) entries.set(key, entry)
  else known.count += entry.count
}
