import type { FastifyInstance } from 'fastify'
import { instanceDefaults, type InstanceSettings } from '#contract/instance/settings.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { ifAvailable } from '#server/platform/database/unavailable.ts'
import type { Bus } from '#server/platform/live/bus.ts'
import { schedule } from '#server/platform/schedule.ts'
import { findSettings, type StoredSettings } from './queries.ts'

interface Deps {
  database: Db
  bus: Bus
  app: FastifyInstance
}

/** The bus message. Its format must not change, because processes of two versions may run at the same time. */
const changedMessage = { kind: 'instance changed' } as const

/** A bus message may be lost, so each process also reads the settings by itself. */
const everyMs = 2000

/**
 * The settings of the instance in the memory of this process. After a change at another process they are older than the
 * database for some milliseconds, and for 2 s at most.
 */
export interface Instance {
  /** All settings. Read them again for each request: a change replaces the object. */
  settings: () => InstanceSettings
  /** Another text after each change: part of the version of a cached answer that shows a setting. */
  version: () => string
  /** Call this after the commit of a change. Resolves when this process has it, and notifies the others. */
  noteChange: () => Promise<void>
}

/** An instance with the default settings, for tests, benchmarks and commands that read none of them. */
export const defaultInstance: Pick<Instance, 'settings' | 'version'> = {
  settings: () => instanceDefaults,
  version: () => '',
}

/** Reads the settings, and keeps them up to date until the server closes. */
export async function watchInstance({ database, bus, app }: Deps): Promise<Instance> {
  let stored: StoredSettings
  // One read at a time, so that an older answer never replaces a newer one.
  let reading = Promise.resolve()
  const read = async () => void (stored = await findSettings(database))
  const readAgain = () => (reading = reading.catch(() => {}).then(read))

  await read()
  const unsubscribe = bus.subscribe((message) => {
    // When this fails, the next scheduled read has the change.
    if ((message as { kind?: unknown } | null)?.kind === changedMessage.kind) void readAgain().catch(() => {})
  })
  app.addHook('onClose', async () => unsubscribe())
  schedule(app, 'reading the settings of the instance', everyMs, () => ifAvailable(readAgain))

  return {
    settings: () => stored.settings,
    version: () => stored.updatedAt ?? '',
    async noteChange() {
      // The bus calls the listener above at once, which sets `reading`.
      bus.publish(changedMessage)
      await reading
    },
  }
}
