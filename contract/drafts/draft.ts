import * as z from 'zod/mini'
import { ChosenCategory, ChosenForm, tagsMax } from '#contract/feed/post.ts'
import { AnyText, Id, Instant, Text } from '#contract/schemas.ts'

/** In code points: a draft may be longer than a post, until its author has shortened it. */
export const draftMaxLength = 100_000
export const draftsMax = 200
/** What the texts of all drafts of a person may take. */
export const draftsMaxMiB = 32
/** Names and tags may be too long for a post, too: nothing that is wrong beside the text keeps it from being saved. */
const choiceMaxLength = 1000

/** What a person has written and chosen so far. Nothing of it has to be complete. */
export const DraftFields = z.object({
  content: AnyText(draftMaxLength),
  authorName: z._default(z.nullable(AnyText(choiceMaxLength)), null),
  postType: z._default(z.enum(['standard', 'premium']), 'standard'),
  form: z._default(ChosenForm, null),
  category: z._default(ChosenCategory, null),
  tags: z._default(z.array(Text(choiceMaxLength)).check(z.maxLength(tagsMax)), []),
})
export type DraftFields = z.output<typeof DraftFields>

/** A text that its author has not sent yet. Only the author reads it. */
export const Draft = z.object({
  id: Id,
  content: z.string(),
  authorName: z.nullable(z.string()),
  postType: z.enum(['standard', 'premium']),
  form: ChosenForm,
  category: ChosenCategory,
  tags: z.array(z.string()),
  /** The post that the draft will change; null for a new post. */
  postId: z.nullable(Id),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Draft = z.output<typeof Draft>

export const ListedDraft = z.object({
  id: Id,
  beginning: z.string(),
  wordCount: z.int(),
  updatedAt: Instant,
  postId: z.nullable(Id),
})
export type ListedDraft = z.output<typeof ListedDraft>
