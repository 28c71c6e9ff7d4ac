import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from './database/pool.ts'
import type { Random } from './ids.ts'
import { instanceFacts } from './schema.ts'

/** A secret of this installation, made at its first start; it keys digests that must not be guessed back. */
export async function findInstanceSecret(db: Db, random: Random): Promise<string> {
  const name = 'digest-key'
  await db
    .insert(instanceFacts)
    .values({ name, value: random.bytes(32).toString('base64url') })
    .onConflictDoNothing()
  const [fact] = await db.select().from(instanceFacts).where(eq(instanceFacts.name, name))
  return fact!.value
}

/** A key of its own for one use, so that no two uses sign or digest with the same key. */
export const keyFor = (use: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(`key for ${use}`).digest()

/** What stands for a client address where it is stored: equal for equal ones, and not to be guessed back. */
export const addressDigest = (address: string, secret: string): string =>
  createHmac('sha256', secret).update(address).digest('base64url')
