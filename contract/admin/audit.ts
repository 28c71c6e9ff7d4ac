import * as z from 'zod/mini'
import { Id, Instant } from '#contract/schemas.ts'

export const auditMax = 200

/** The actions of the audit log (S49), as people read them. */
export const auditActions = {
  'sign-in': 'Signed in',
  'sign-in-refused': 'Sign-in refused',
  'weak-password-refused': 'Sign-in refused: weak passcode',
  'suspended-sign-in-refused': 'Sign-in refused: suspended',
  'password-change': 'Password changed',
  'password-reset-link': 'Reset link made',
  'password-reset': 'Passcode reset by a link',
  'api-token-created': 'API token created',
  'api-token-ended': 'API token ended',
  'openid-linked': 'Linked with the sign-in provider',
  'openid-unlinked': 'Unlinked from the sign-in provider',
  'person-suspended': 'Person suspended',
  'suspension-lifted': 'Suspension lifted',
  'person-warned': 'Person warned',
  'account-deletion': 'Account deleted',
  'setup-refused': 'Set-up code refused',
  'registration-approved': 'Sign-up approved',
  'registration-refused': 'Sign-up refused',
  'registration-link': 'Registration link made',
  'registration-link-ended': 'Registration link ended',
  'admin-granted': 'Made an admin',
  'admin-revoked': 'No admin any more',
  'moderator-granted': 'Made a moderator',
  'moderator-revoked': 'No moderator any more',
  'admin-call-refused': 'Admin call refused',
  'post-approval': 'Post approved',
  'post-creation': 'Post created',
  'post-generation': 'Posts generated',
  'post-hidden': 'Post hidden',
  'post-shown': 'Post shown',
  'post-erased': 'Post erased',
  'passage-erased': 'Passage erased',
  'aside-erased': 'Aside erased',
  'room-deletion': 'Z!mmer deleted',
  'mail-retried': 'Mail sent again',
  'mail-bounced': 'Mail came back',
  'report-closed': 'Report closed',
  'allowance-added': 'Allowance added',
  'allowance-ended': 'Allowance ended',
  'webhook-created': 'Webhook created',
  'webhook-deleted': 'Webhook deleted',
  'magazine-uploaded': 'Magazine uploaded',
  'cover-uploaded': 'Cover uploaded',
  'instance-changed': 'Instance changed',
} as const
/** The server writes no other action: one without words for people does not compile. */
export type AuditActionName = keyof typeof auditActions

export const AuditEntry = z.object({
  id: Id,
  at: Instant,
  action: z.string(),
  /** Null for a caller without a session, and for a command on the server. */
  actorId: z.nullable(z.string()),
  /** Null when nobody with this id exists any more, or when the person has no name. */
  actorName: z.nullable(z.string()),
  /** The id of the person or thing that the action changed. */
  subjectId: z.nullable(z.string()),
  subjectName: z.nullable(z.string()),
  /** What an admin decided. */
  details: z.nullable(z.record(z.string(), z.string())),
  /** The number of refused calls that the entry counts. */
  count: z.int(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
