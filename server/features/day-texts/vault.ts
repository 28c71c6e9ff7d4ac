import { eq } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import type { Random } from '#server/platform/ids.ts'
import { instanceFacts } from '#server/platform/schema.ts'
import { createSeal, noSeal, type Place, type Seal } from './seal.ts'

/** The fact of the installation that names the key its texts are sealed with. */
export const sealedWithFact = 'diary-key'

/** Seals and opens texts with the key that this process was started with. */
export class Vault {
  readonly seal: Seal
  /** The installation's texts are sealed with another key: nothing is read, nothing is written. */
  readonly isLocked: boolean
  readonly #logger: FastifyBaseLogger | undefined

  constructor(seal: Seal, isLocked = false, logger?: FastifyBaseLogger) {
    this.seal = seal
    this.isLocked = isLocked
    this.#logger = logger
  }

  refuseIfLocked(): void {
    if (this.isLocked) throw locked()
  }

  /** Texts from before the first key are plain. */
  open({ content, keyId }: { content: Buffer; keyId: string | null }, place: Place): string {
    if (keyId === null) return noSeal.open(content, place)
    // Another process may have sealed it anew meanwhile.
    if (keyId !== this.seal.keyId) throw locked()
    return this.seal.open(content, place)
  }

  /** A text that does not open, because its row is damaged or came from another place, is told and left out. */
  openIfWhole(sealed: { content: Buffer; keyId: string | null }, place: Place): string | undefined {
    try {
      return this.open(sealed, place)
    } catch (error) {
      if (error instanceof Refused) throw error
      const { kind, day } = place
      this.#logger?.error({ kind, day }, 'A stored text is damaged: it does not open. It was left as it is.')
      return undefined
    }
  }
}

/** It opens with another start of the server: whoever asks, asks seldom. */
export const locked = () => new Refused('DiaryLocked', { retryAfter: 60 })

interface Sources {
  database: Db
  config: Pick<Config, 'diaryKey'>
  random: Random
  logger?: FastifyBaseLogger | undefined
}

/** The first start with a key makes it the installation's; any other key, or none, finds the vault locked. */
export async function openVault({ database, config, random, logger }: Sources): Promise<Vault> {
  const seal = createSeal(config.diaryKey, random)
  if (seal.keyId !== null)
    await database
      .insert(instanceFacts)
      .values({ name: sealedWithFact, value: seal.keyId })
      .onConflictDoNothing()
  const isLocked = (await findSealedWith(database)) !== seal.keyId
  if (isLocked)
    logger?.warn(
      'Diary and calendar are locked: DIARY_KEY is not the key their texts were sealed with. Everything else works.',
    )
  return new Vault(seal, isLocked, logger)
}

/** The name of the key that the texts are sealed with; null while there is none. */
export async function findSealedWith(db: Db): Promise<string | null> {
  const [fact] = await db.select().from(instanceFacts).where(eq(instanceFacts.name, sealedWithFact))
  return fact?.value ?? null
}
