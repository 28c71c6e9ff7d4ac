import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { asc, desc, isNotNull, sql } from 'drizzle-orm'
import type { EncryptedTable, Vault } from '#server/features/day-texts/index.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'
import { sealKeys } from './schema.ts'

/** Signs heads and seals with the current key of this installation. */
export interface Signer {
  publicKey: Buffer
  sign(message: Uint8Array): Buffer
}

/** Makes the key at the first start, but not while the vault is locked: the key could not be encrypted then. */
export async function ensureSealKey(database: Database, vault: Vault): Promise<void> {
  if (!vault.isLocked && (await database.$count(sealKeys)) === 0) await addKey(database, vault, 1)
}

/** Makes a new key, which signs from now on, and deletes the secret of the previous key. Returns the new public key. */
export function makeSealKey(database: Database, vault: Vault): Promise<string> {
  vault.refuseIfLocked()
  return database.transaction(async (tx) => {
    await tx.execute(sql`lock table seal_keys in share row exclusive mode`)
    await tx.update(sealKeys).set({ secretKey: null, keyId: null })
    return addKey(tx, vault, (await tx.$count(sealKeys)) + 1)
  })
}

/** Undefined when the key is encrypted with another DIARY_KEY, or was not made because the vault is locked. */
export async function findSigner(db: Db, vault: Vault): Promise<Signer | undefined> {
  const [key] = await db
    .select()
    .from(sealKeys)
    .where(isNotNull(sealKeys.secretKey))
    .orderBy(desc(sealKeys.number))
    .limit(1)
  if (key === undefined || (key.keyId !== null && key.keyId !== vault.cipher.keyId)) return undefined
  const { number, publicKey, keyId } = key
  const d = vault.decrypt({ content: key.secretKey!, keyId }, textIdOf(number))
  const jwk = { kty: 'OKP', crv: 'Ed25519', d, x: publicKey.toString('base64url') }
  const secret = createPrivateKey({ key: jwk, format: 'jwk' })
  return { publicKey, sign: (message) => sign(null, message, secret) }
}

/** The public keys, the oldest first. */
export const listSealKeys = (db: Db) =>
  db
    .select({ publicKey: sealKeys.publicKey, createdAt: sealKeys.createdAt })
    .from(sealKeys)
    .orderBy(asc(sealKeys.number))

export const encryptedSealKeys: EncryptedTable = {
  name: 'seal_keys',
  /** A key is no text of a person, so it is not counted. */
  async encryptAgain(db, vault, cipher) {
    const keys = await db.select().from(sealKeys).where(isNotNull(sealKeys.secretKey))
    for (const { number, secretKey, keyId } of keys) {
      const secret = vault.decrypt({ content: secretKey!, keyId }, textIdOf(number))
      await db
        .update(sealKeys)
        .set({ secretKey: cipher.encrypt(secret, textIdOf(number)), keyId: cipher.keyId })
        .where(sql`${sealKeys.number} = ${number}`)
    }
    return 0
  },
}

/** Does nothing when another process has made the key with this number. */
async function addKey(db: Db, { cipher }: Vault, number: number): Promise<string> {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  await db
    .insert(sealKeys)
    .values({
      number,
      publicKey: Buffer.from(x!, 'base64url'),
      secretKey: cipher.encrypt(d!, textIdOf(number)),
      keyId: cipher.keyId,
      createdAt: sql`app_now()`,
    })
    .onConflictDoNothing()
  return x!
}

const textIdOf = (number: number) => ({ kind: 'seal key', userId: '', key: String(number) })
