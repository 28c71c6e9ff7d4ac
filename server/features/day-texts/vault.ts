import { type SQL, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import type { Random } from '#server/platform/ids.ts'
import { findFact } from '#server/platform/instance.ts'
import { instanceFacts } from '#server/platform/schema.ts'
import { createTextCipher, noCipher, type TextCipher, type TextId } from './text-cipher.ts'

/** The fact that stores the id of the current encryption key. */
export const textKeyFact = 'diary-key'

/** Encrypts and decrypts texts with the key that this process was started with. */
export class Vault {
  readonly cipher: TextCipher
  /**
   * Whether the stored texts were encrypted with another key. Callers must call `refuseIfLocked` before each read and
   * write, except `findMessages`, which returns no texts while the vault is locked.
   */
  readonly isLocked: boolean
  readonly #logger: FastifyBaseLogger | undefined

  constructor(cipher: TextCipher, isLocked = false, logger?: FastifyBaseLogger) {
    this.cipher = cipher
    this.isLocked = isLocked
    this.#logger = logger
  }

  refuseIfLocked(): void {
    if (this.isLocked) throw vaultLocked()
  }

  /** A text without `keyId` was stored before the first key and is not encrypted. */
  decrypt({ content, keyId }: { content: Buffer; keyId: string | null }, id: TextId): string {
    if (keyId === null) return noCipher.decrypt(content, id)
    // The key may have been changed since this process started.
    if (keyId !== this.cipher.keyId) throw vaultLocked()
    return this.cipher.decrypt(content, id)
  }

  /** Returns undefined and logs an error when a text cannot be decrypted: its row is damaged or was copied from another row. */
  decryptOrLog(encrypted: { content: Buffer; keyId: string | null }, id: TextId): string | undefined {
    try {
      return this.decrypt(encrypted, id)
    } catch (error) {
      if (error instanceof Refused) throw error
      const { kind, key } = id
      this.#logger?.error(
        { kind, key },
        'A stored text is damaged: it cannot be decrypted. It was left as it is.',
      )
      return undefined
    }
  }
}

/** Retry-After is a minute: the vault stays locked until the server starts with the right key. */
export const vaultLocked = () => new Refused('DiaryLocked', { retryAfter: 60 })

/** The condition that the key of the installation is the one of this process. It may have been changed since the start. */
export const isKeyCurrent = ({ cipher }: Vault): SQL =>
  sql`(select value from instance_facts where name = ${textKeyFact}) is not distinct from ${cipher.keyId}::text`

interface Sources {
  database: Db
  config: Pick<Config, 'diaryKey'>
  random: Random
  logger?: FastifyBaseLogger | undefined
}

/** The first start with a key stores the key id. After that, a process with another key, or without a key, gets a locked vault. */
export async function openVault({ database, config, random, logger }: Sources): Promise<Vault> {
  const cipher = createTextCipher(config.diaryKey, random)
  if (cipher.keyId !== null)
    await database
      .insert(instanceFacts)
      .values({ name: textKeyFact, value: cipher.keyId })
      .onConflictDoNothing()
  const isLocked = (await findDiaryKeyId(database)) !== cipher.keyId
  if (isLocked)
    logger?.warn(
      'Diary, calendar, drafts and messages are locked: DIARY_KEY is not the key their texts were encrypted with. Everything else works.',
    )
  return new Vault(cipher, isLocked, logger)
}

/** Whether texts are encrypted, and whether this key reads them. A first key is stored at the next start. */
export async function findKeyState(
  db: Db,
  diaryKey: string | undefined,
  random: Random,
): Promise<'none' | 'right' | 'locked'> {
  const stored = await findDiaryKeyId(db)
  const { keyId } = createTextCipher(diaryKey, random)
  if (stored === null) return keyId === null ? 'none' : 'right'
  return stored === keyId ? 'right' : 'locked'
}

/** The id of the key of the encrypted texts; null while there is none. */
export const findDiaryKeyId = async (db: Db): Promise<string | null> =>
  (await findFact(db, textKeyFact)) ?? null
