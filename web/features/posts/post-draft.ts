import * as z from 'zod/mini'
import { formChoices } from '#web/lib/form-choices.ts'

const PostChoices = z.object({
  authorName: z.nullable(z.string()),
  type: z.enum(['standard', 'premium']),
})
/** What is chosen beside the text of a post; `authorName` is null until the person has typed one. */
export type PostChoices = z.infer<typeof PostChoices>

export const noChoices: PostChoices = { authorName: null, type: 'standard' }

export const postChoices = formChoices('post-draft', PostChoices, noChoices)
