import { eq } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import type { Random } from '#server/platform/ids.ts'
import { instanceFacts } from '#server/platform/schema.ts'
import { createTextCipher, noCipher, type TextCipher, type TextId } from './text-cipher.ts'

/** The name of the row in `instance_facts` with the id of the key of the encrypted texts. */
export const diaryKeyFact = 'diary-key'

/** Encrypts and decrypts texts with the key that this process was started with. */
export class Vault {
  readonly cipher: TextCipher
  /** The stored texts have another key. `refuseIfLocked` is called before each read and write. */
  readonly isLocked: boolean
  readonly #logger: FastifyBaseLogger | undefined

  constructor(cipher: TextCipher, isLocked = false, logger?: FastifyBaseLogger) {
    this.cipher = cipher
    this.isLocked = isLocked
    this.#logger = logger
  }

  refuseIfLocked(): void {
    if (this.isLocked) throw locked()
  }

  /** Texts from before the first key are plain. */
  decrypt({ content, keyId }: { content: Buffer; keyId: string | null }, id: TextId): string {
    if (keyId === null) return noCipher.decrypt(content, id)
    // Another process may have changed the key meanwhile.
    if (keyId !== this.cipher.keyId) throw locked()
    return this.cipher.decrypt(content, id)
  }

  /** Undefined, with a line in the log, for a text that cannot be decrypted: its row is damaged or was copied from another. */
  decryptIfWhole(encrypted: { content: Buffer; keyId: string | null }, id: TextId): string | undefined {
    try {
      return this.decrypt(encrypted, id)
    } catch (error) {
      if (error instanceof Refused) throw error
      const { kind, day } = id
      this.#logger?.error(
        { kind, day },
        'A stored text is damaged: it cannot be decrypted. It was left as it is.',
      )
      return undefined
    }
  }
}

/** The vault is locked until the server starts with the right key. Callers are asked to wait for a minute. */
export const locked = () => new Refused('DiaryLocked', { retryAfter: 60 })

interface Sources {
  database: Db
  config: Pick<Config, 'diaryKey'>
  random: Random
  logger?: FastifyBaseLogger | undefined
}

/** The first start with a key stores its id. A process with another key, or none, gets a locked vault. */
export async function openVault({ database, config, random, logger }: Sources): Promise<Vault> {
  const cipher = createTextCipher(config.diaryKey, random)
  if (cipher.keyId !== null)
    await database
      .insert(instanceFacts)
      .values({ name: diaryKeyFact, value: cipher.keyId })
      .onConflictDoNothing()
  const isLocked = (await findDiaryKeyId(database)) !== cipher.keyId
  if (isLocked)
    logger?.warn(
      'Diary and calendar are locked: DIARY_KEY is not the key their texts were encrypted with. Everything else works.',
    )
  return new Vault(cipher, isLocked, logger)
}

/** The id of the key of the encrypted texts; null while there is none. */
export async function findDiaryKeyId(db: Db): Promise<string | null> {
  const [fact] = await db.select().from(instanceFacts).where(eq(instanceFacts.name, diaryKeyFact))
  return fact?.value ?? null
}
