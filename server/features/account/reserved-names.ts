import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { isProductName, lookOf } from './product-names.ts'
import { listAdminNames } from './queries.ts'

/** Whether a name is reserved: for the product, its team or an admin (S45, S56). */
export const isReservedName = async (db: Db, name: string, adminLooks = listAdminLooks): Promise<boolean> =>
  isProductName(name) || (await adminLooks(db)).has(lookOf(name))

async function listAdminLooks(db: Db): Promise<ReadonlySet<string>> {
  const looks = (await listAdminNames(db)).map(lookOf)
  return new Set(looks.filter((look) => look !== ''))
}

const adminLooksKeptMs = 1000

/** The same, but reads the names of the admins once a second at most. */
export function createReservedNames(clock: Clock): (db: Db, name: string) => Promise<boolean> {
  let looks: ReadonlySet<string> = new Set()
  let readAt = -Infinity
  const keptLooks = async (db: Db) => {
    const now = clock.monotonicMs()
    if (now - readAt > adminLooksKeptMs) {
      looks = await listAdminLooks(db)
      readAt = now
    }
    return looks
  }
  return (db, name) => isReservedName(db, name, keptLooks)
}
