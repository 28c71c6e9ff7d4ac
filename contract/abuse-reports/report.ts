import * as z from 'zod/mini'
import { Id, Instant, PersonId } from '#contract/schemas.ts'

export const reportKinds = ['message', 'passage', 'aside', 'post', 'person'] as const
export type ReportKind = (typeof reportKinds)[number]

/** Why something is reported, as the reporter chooses it from a list. */
export const reportCategories = ['harassment', 'hate', 'spam', 'private', 'stolen', 'other'] as const
export type ReportCategory = (typeof reportCategories)[number]

export const reportOutcomes = ['removed', 'kept', 'warned'] as const
export type ReportOutcome = (typeof reportOutcomes)[number]

/** What the call that closes a report can do with the reported thing and its author. */
export const reportActions = ['hidden', 'erased', 'warned', 'suspended'] as const
export type ReportAction = (typeof reportActions)[number]

/** What can become of a reported thing. A passage or an aside cannot be hidden, and a message stays with the two friends. */
export const removalsOf: Record<ReportKind, readonly Removal[]> = {
  post: ['hide', 'erase'],
  passage: ['erase'],
  aside: ['erase'],
  message: [],
  person: [],
}
export const removals = ['hide', 'erase'] as const
export type Removal = (typeof removals)[number]

export const actionsOf = ({ removal, warning, suspension }: ChosenActions): ReportAction[] => [
  ...(removal === undefined ? [] : [removal === 'hide' ? ('hidden' as const) : ('erased' as const)]),
  ...(warning === undefined ? [] : ['warned' as const]),
  ...(suspension === undefined ? [] : ['suspended' as const]),
]
interface ChosenActions {
  removal?: Removal | undefined
  warning?: unknown
  suspension?: unknown
}

/** The outcome that follows from actions. Without an action the admin says the outcome. */
export function outcomeOf(actions: readonly ReportAction[]): ReportOutcome | undefined {
  if (actions.length === 0) return undefined
  return actions.includes('hidden') || actions.includes('erased') ? 'removed' : 'warned'
}

export const reasonMaxLength = 1000
export const noteMaxLength = 1000
export const warningMaxLength = 1000

/** A report as admins see it. */
export const AbuseReport = z.object({
  id: Id,
  kind: z.enum(reportKinds),
  /** Of a person who has deleted the account: the id of the report. */
  targetId: z.string(),
  category: z.enum(reportCategories),
  /** In the reporter's words. Null when the reporter has deleted the account, and when the stored text is damaged. */
  reason: z.nullable(z.string()),
  /** What was reported, as it was at that moment. */
  copy: z.object({
    /**
     * Of a person: the name, the username and the introduction; the introduction alone after the person has deleted the account.
     * Null when an admin has erased the text, and when it is not stored any more or is damaged.
     */
    content: z.nullable(z.string()),
    /** Null for a visitor, and after the author has deleted the account. */
    authorId: z.nullable(PersonId),
    authorName: z.string(),
    /** Of a person: when the account was made. */
    createdAt: Instant,
  }),
  /** Null after the reporter has deleted the account. */
  reporterId: z.nullable(PersonId),
  reporterName: z.nullable(z.string()),
  /** Whether what was reported can still be found; a hidden post, an erased passage and a deleted aside cannot. */
  exists: z.boolean(),
  /** The room of a passage that exists or was erased, or of an aside that exists. */
  roomId: z.nullable(Id),
  /** Whether this room is a finished public story. */
  isInStory: z.boolean(),
  createdAt: Instant,
  status: z.enum(['open', 'closed']),
  /** Null while the report is open. */
  outcome: z.nullable(z.enum(reportOutcomes)),
  /** What the call that closed the report has done. */
  actions: z.array(z.enum(reportActions)),
  note: z.nullable(z.string()),
  closedAt: z.nullable(Instant),
  /** The name of the admin. */
  closedBy: z.nullable(z.string()),
})
export type AbuseReport = z.infer<typeof AbuseReport>
