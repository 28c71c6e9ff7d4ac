import * as z from 'zod/mini'
import { categories } from '#contract/feed/categories.ts'
import { postForms } from '#contract/feed/post.ts'
import { formChoices } from '#web/lib/form-choices.ts'
import { randomId } from '#web/lib/session-keys.ts'

/** What a person chooses beside the text of a post. */
const PostChoices = z.object({
  /** Null until the person types a name. */
  authorName: z.nullable(z.string()),
  postType: z.enum(['standard', 'premium']),
  // Not the schemas of `post.ts`: that file belongs to the first page, which would then load all of zod.
  category: z.nullable(z.enum(categories)),
  tags: z.array(z.string()),
  form: z.nullable(z.enum(postForms)),
})
export type PostChoices = z.output<typeof PostChoices>

export const noChoices: PostChoices = {
  authorName: null,
  postType: 'standard',
  form: null,
  category: null,
  tags: [],
}

/** The choices of a draft that only this browser has: all of a visitor, and the unsaved ones of a registered person. */
export const choicesHere = (owner: string, draftId: string | null) =>
  formChoices(
    draftId === null ? 'post-draft' : `post-draft/${draftId}`,
    z.object({ chosen: z.nullable(PostChoices) }),
    { chosen: null },
  )(owner)

/** The draft that Create Post opens: the one that the person wrote there last and has not sent. */
export const currentDraft = formChoices('current-draft', z.object({ id: z.nullable(z.string()) }), {
  id: null,
})

/** A UUIDv7. A draft has its id before the server knows it. */
export function newDraftId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = randomId()
  const variant = '89ab'.charAt(Number.parseInt(random.charAt(0), 16) % 4)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}
