import * as z from 'zod/mini'
import { Id, Instant, PersonId } from '#contract/schemas.ts'
import { fromBase64url } from './base64url.ts'

/** Bytes of this length, as base64url. */
const Bytes = (length: number) => z.string().check(z.refine((text) => fromBase64url(text)?.length === length))

const Time = Instant.check(
  z.refine((text) => {
    const time = new Date(text)
    return time.getTime() >= 0 && time.toISOString() === text
  }),
)

/** As a browser writes it, so that no sentence about it says something else. */
const Origin = z.string().check(z.regex(/^https?:\/\/[!$-.:;=\w~[\]]+$/))

const Position = z.int().check(z.minimum(0), z.maximum(2 ** 32 - 1))

export const SealedPassage = z.strictObject({
  time: Time,
  textHash: Bytes(32),
  who: Bytes(32),
  link: Bytes(32),
  /** Salt and text are null where the text is withheld from readers. */
  salt: z.nullable(Bytes(16)),
  text: z.nullable(z.string()),
})
export type SealedPassage = z.infer<typeof SealedPassage>

/** The seal of a finished story, as a file. */
export const Seal = z.strictObject({
  format: z.literal('zimmer/seal/1'),
  /** The address of the server. */
  origin: Origin,
  room: Id,
  title: z.string(),
  createdAt: Time,
  endedAt: Time,
  count: Position,
  /** The public key, and its signatures of the last head and of the seal. */
  key: Bytes(32),
  head: Bytes(64),
  seal: Bytes(64),
  passages: z.array(SealedPassage),
})
export type Seal = z.infer<typeof Seal>

export const Head = z.strictObject({
  position: Position,
  link: Bytes(32),
  key: Bytes(32),
  signature: Bytes(64),
})
export type Head = z.infer<typeof Head>

/** What only the writer of passages gets, as a file. */
export const Receipt = z.strictObject({
  format: z.literal('zimmer/receipt/1'),
  origin: Origin,
  room: Id,
  /** With the secret it opens the mark of the writer. */
  person: PersonId,
  secret: Bytes(16),
  /** The newest signed head. */
  head: Head,
  passages: z
    .array(
      z.strictObject({
        position: Position,
        time: Time,
        /** Null, as the text is, after an admin has erased the text. */
        salt: z.nullable(Bytes(16)),
        text: z.nullable(z.string()),
      }),
    )
    .check(z.minLength(1)),
})
export type Receipt = z.infer<typeof Receipt>
