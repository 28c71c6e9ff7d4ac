import * as z from 'zod/mini'
import { formChoices } from '#web/lib/form-choices.ts'

const ArticleChoices = z.object({
  authorName: z.nullable(z.string()),
  imageUrl: z._default(z.string(), ''),
})

/** What stands beside the text of an article. `authorName` is null until the admin types a name. */
export const articleChoices = formChoices('article-draft', ArticleChoices, { authorName: null, imageUrl: '' })
