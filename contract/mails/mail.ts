import * as z from 'zod/mini'
import { Id, Instant } from '#contract/schemas.ts'

export const mailKinds = ['confirmation', 'reset', 'password-changed', 'notices', 'weekly'] as const
export type MailKind = (typeof mailKinds)[number]

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
