import * as z from 'zod/mini'
import { Id, Instant, PersonId } from '#contract/schemas.ts'

export const mailKinds = ['confirmation', 'reset', 'password-changed', 'notices', 'weekly'] as const
export type MailKind = (typeof mailKinds)[number]

/** Why an address gets no more mails: it does not exist for good, or its person reported a mail as unwanted. */
export const bounceKinds = ['permanent', 'complaint'] as const
export type BounceKind = (typeof bounceKinds)[number]

/** An address from which a mail came back, as admins see it. */
export const BouncedAddress = z.object({
  userId: PersonId,
  address: z.string(),
  kind: z.enum(bounceKinds),
  /** What the relay said; may be empty. */
  reason: z.string(),
  at: Instant,
})
export type BouncedAddress = z.infer<typeof BouncedAddress>

/** A mail that could not be sent, as admins see it. */
export const UnsentMail = z.object({
  id: Id,
  kind: z.enum(mailKinds),
  /** Null when nobody knows yet whose address was typed. */
  address: z.nullable(z.string()),
  createdAt: Instant,
  failedAt: Instant,
  /** What the mail server answered, or why it gave no answer. */
  failure: z.string(),
})
export type UnsentMail = z.infer<typeof UnsentMail>
