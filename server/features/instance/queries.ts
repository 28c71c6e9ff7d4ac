import { eq, sql } from 'drizzle-orm'
import { instanceDefaults, type InstanceSettings } from '#contract/instance/settings.ts'
import { justAfter } from '#server/platform/database/columns.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { instanceSettings } from './schema.ts'

/** All settings, and when they were last changed: null before the first change. */
export interface StoredSettings {
  settings: InstanceSettings
  updatedAt: string | null
}

export async function findSettings(db: Db): Promise<StoredSettings> {
  const { settings, updatedAt } = instanceSettings
  const [found] = await db.select({ settings, updatedAt }).from(instanceSettings)
  return storedOf(found)
}

/** Saves the changed settings if the stored ones were last changed at `base`. Otherwise returns undefined. */
export async function saveSettings(
  db: Db,
  base: string | null,
  changed: Partial<InstanceSettings>,
): Promise<StoredSettings | undefined> {
  const { settings, updatedAt } = instanceSettings
  const saved =
    base === null
      ? await db
          .insert(instanceSettings)
          .values({ settings: changed, updatedAt: sql`app_now()` })
          .onConflictDoNothing()
          .returning({ settings, updatedAt })
      : await db
          .update(instanceSettings)
          .set({
            // Settings that this version of the program does not know stay stored.
            settings: sql`${settings} || ${JSON.stringify(changed)}::jsonb`,
            updatedAt: sql`greatest(app_now(), ${justAfter(updatedAt)})`,
          })
          .where(eq(updatedAt, base))
          .returning({ settings, updatedAt })
  return saved[0] && storedOf(saved[0])
}

const storedOf = (
  row?: Pick<typeof instanceSettings.$inferSelect, 'settings' | 'updatedAt'>,
): StoredSettings => ({
  settings: { ...instanceDefaults, ...row?.settings },
  updatedAt: row?.updatedAt ?? null,
})
