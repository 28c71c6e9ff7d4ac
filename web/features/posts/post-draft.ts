import * as z from 'zod/mini'
import { formChoices } from '#web/lib/form-choices.ts'

const PostChoices = z.object({
  authorName: z.nullable(z.string()),
  type: z.enum(['standard', 'premium']),
})

/** The choices beside the text of a post. `authorName` is null until the person types a name. */
export const postChoices = formChoices('post-draft', PostChoices, { authorName: null, type: 'standard' })
