import { argon2, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { Random } from '#server/platform/ids.ts'
import { createSemaphore } from '#server/platform/semaphore.ts'

const derive = promisify(argon2)

/** S10: 19 MiB, 2 passes, 1 lane (OWASP's recommendation for Argon2id). */
const parameters = { memory: 19 * 1024, passes: 2, parallelism: 1, tagLength: 32 }
const saltLength = 16
const maxWaiting = 64

export interface Hashing {
  hash(password: string): Promise<string>
  /** Compares byte for byte. Without a secret the same work is done, so that the time shows nothing (S11). */
  verify(password: string, secret: string | undefined): Promise<boolean>
}

/** Hashes off the main thread, a few at a time; a caller is refused with 503 when too many wait already. */
export function createHashing(random: Random, atOnce = Math.max(1, availableParallelism() - 1)): Hashing {
  const withPermit = createSemaphore({ atOnce, maxWaiting })
  const hash = async (password: string) => {
    const salt = random.bytes(saltLength)
    return encode(salt, await withPermit(() => tagOf(password, salt, parameters)))
  }
  const dummy = encode(random.bytes(saltLength), random.bytes(parameters.tagLength))

  return {
    hash,
    async verify(password, secret) {
      const { salt, tag, ...used } = decode(secret ?? dummy)
      const given = await withPermit(() => tagOf(password, salt, { ...used, tagLength: tag.length }))
      return timingSafeEqual(given, tag) && secret !== undefined
    },
  }
}

/** Whether a secret was made with other parameters than today's. */
export const isOutdated = (secret: string): boolean => !secret.startsWith(prefix)

type Parameters = typeof parameters

function tagOf(password: string, salt: Buffer, used: Parameters): Promise<Buffer> {
  return derive('argon2id', { message: Buffer.from(password), nonce: salt, ...used })
}

const prefix = `$argon2id$v=19$m=${parameters.memory},t=${parameters.passes},p=${parameters.parallelism}$`

/** The PHC string format. */
const encode = (salt: Buffer, tag: Buffer) => `${prefix}${unpadded(salt)}$${unpadded(tag)}`
const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function decode(secret: string) {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(secret)
  if (parts === null) throw new Error('A stored secret is not in the PHC string format.')
  const [, memory, passes, parallelism, salt, tag] = parts
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt!, 'base64'),
    tag: Buffer.from(tag!, 'base64'),
  }
}
