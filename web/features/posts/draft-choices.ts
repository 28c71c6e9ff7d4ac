import { categories, type Category } from '#contract/feed/categories.ts'
import { type PostForm, postForms } from '#contract/feed/post.ts'
import { formChoices } from '#web/lib/form-choices.ts'
import { randomId } from '#web/lib/session-keys.ts'
import { storedRow } from '#web/lib/stored-row.ts'

/** What a person chooses beside the text of a post. */
export interface PostChoices {
  /** Null until the person types a name. */
  authorName: string | null
  postType: 'standard' | 'premium'
  category: Category | null
  tags: string[]
  form: PostForm | null
}

interface StoredChoices {
  chosen: PostChoices | null
}

/** Every page of a registered person has this file: a check by zod would load all of zod. */
const schema = {
  parse: (stored: unknown): StoredChoices => {
    const { chosen } = stored as StoredChoices
    if (chosen !== null && !arePostChoices(chosen)) throw new TypeError('These are no choices of a post.')
    return { chosen }
  },
}

const arePostChoices = ({ authorName, postType, category, tags, form }: PostChoices) =>
  (authorName === null || typeof authorName === 'string') &&
  ['standard', 'premium'].includes(postType) &&
  (category === null || categories.includes(category)) &&
  tags.every((tag) => typeof tag === 'string') &&
  (form === null || postForms.includes(form))

export const noChoices: PostChoices = {
  authorName: null,
  postType: 'standard',
  form: null,
  category: null,
  tags: [],
}

/** The choices of a draft that only this browser has: all of a visitor, and the unsaved ones of a registered person. */
export const choicesHere = (owner: string, draftId: string | null) =>
  formChoices<StoredChoices>(draftId === null ? 'post-draft' : `post-draft/${draftId}`, schema, {
    chosen: null,
  })(owner)

/** The draft that Create Post opens: the one that the person wrote there last and has not sent. */
export const currentDraft = formChoices(
  'current-draft',
  storedRow<{ id: string | null }>({ id: 'string or null' }),
  { id: null },
)

/** A UUIDv7. A draft has its id before the server knows it. */
export function newDraftId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = randomId()
  const variant = '89ab'.charAt(Number.parseInt(random.charAt(0), 16) % 4)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}
