import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { isProductName, looksLikeOneOf } from './product-names.ts'
import { listAdminNames } from './queries.ts'

/** Whether a name is reserved: for the product, its team or an admin (S45, S56). */
export const isReservedName = async (db: Db, name: string, admins = adminNames): Promise<boolean> =>
  isProductName(name) || (await admins(db))(name)

const adminNames = async (db: Db) => looksLikeOneOf(await listAdminNames(db))

const adminNamesKeptMs = 1000

/** The same, but reads the names of the admins once a second at most. */
export function createReservedNames(clock: Clock): (db: Db, name: string) => Promise<boolean> {
  let isOfAdmin = looksLikeOneOf([])
  let readAt = -Infinity
  const keptNames = async (db: Db) => {
    const now = clock.monotonicMs()
    if (now - readAt > adminNamesKeptMs) {
      isOfAdmin = await adminNames(db)
      readAt = now
    }
    return isOfAdmin
  }
  return (db, name) => isReservedName(db, name, keptNames)
}
