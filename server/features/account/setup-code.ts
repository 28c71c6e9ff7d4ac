import { hash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { ClientConfig } from 'pg'
import { connectClient } from '#server/platform/database/connection.ts'
import { lockKeys, tryLock } from '#server/platform/database/lock-keys.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { newCode, type Random } from '#server/platform/ids.ts'
import { instanceFacts } from '#server/platform/schema.ts'

/** The name of the fact with the digest of the code. Without this fact no code is good. */
const setupFact = 'setup-code'

/** 80 random bits. Whoever reads the database cannot find the code by its digest. */
const codeLength = 16

/** As people type a code: in any case, with or without dashes, and with the letters that look like a digit. */
const digestOf = (code: string): string => {
  const typed = code.toLowerCase().replace(/[^a-z0-9]/g, '')
  return hash('sha256', typed.replaceAll('o', '0').replace(/[il]/g, '1'), 'hex')
}

/** Makes the code by which the first admin account can be made, in place of the one before. */
export async function makeSetupCode(db: Db, random: Random): Promise<string> {
  const code = newCode(random, codeLength).toUpperCase().match(/.{4}/g)!.join('-')
  const value = digestOf(code)
  await db
    .insert(instanceFacts)
    .values({ name: setupFact, value })
    .onConflictDoUpdate({ target: instanceFacts.name, set: { value } })
  return code
}

interface Offer {
  connection: ClientConfig
  database: Db
  random: Random
}

/**
 * Makes the code that this process prints, and holds a lock until `release`. Undefined while another process has the lock:
 * of processes that start together one prints a code, and the others do not end it.
 */
export async function offerSetup({ connection, database, random }: Offer) {
  const client = await connectClient(connection, 'zimmer set-up')
  const release = () => client.end().catch(() => {})
  try {
    if (await tryLock(client, lockKeys.setupCode))
      return { code: await makeSetupCode(database, random), release }
  } catch (error) {
    await release()
    throw error
  }
  return void (await release())
}

/** Uses the code up. Returns false for a wrong one, and where there is an admin. */
export async function redeemSetupCode(db: Db, code: string): Promise<boolean> {
  const { rowCount } = await db
    .delete(instanceFacts)
    .where(
      and(
        eq(instanceFacts.name, setupFact),
        eq(instanceFacts.value, digestOf(code)),
        sql`not exists (select 1 from users where is_admin)`,
      ),
    )
  return rowCount === 1
}

/** Ends the code for good. Every way to make an admin calls this. */
export async function endSetup(db: Db): Promise<void> {
  await db.delete(instanceFacts).where(eq(instanceFacts.name, setupFact))
}
