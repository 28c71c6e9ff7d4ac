import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from './database/pool.ts'
import type { Random } from './ids.ts'
import { instanceFacts } from './schema.ts'

/** A secret of this installation, made at its first start. It keys digests, so that nobody can guess their inputs. */
export async function findInstanceSecret(db: Db, random: Random): Promise<string> {
  const name = 'digest-key'
  await db
    .insert(instanceFacts)
    .values({ name, value: random.bytes(32).toString('base64url') })
    .onConflictDoNothing()
  return (await findFact(db, name))!
}

export async function findFact(db: Db, name: string): Promise<string | undefined> {
  const [fact] = await db.select().from(instanceFacts).where(eq(instanceFacts.name, name))
  return fact?.value
}

/** Derives a separate key for each use from the secret. */
export const keyFor = (use: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(`key for ${use}`).digest()

/** The digest that is stored instead of a client address. Equal addresses have equal digests. */
export const addressDigest = (address: string, secret: string): string =>
  createHmac('sha256', secret).update(address).digest('base64url')
