import * as z from 'zod/mini'
import { categories } from '#contract/feed/categories.ts'
import { Id, Instant, PersonId } from '#contract/schemas.ts'
import { cut } from '#contract/text.ts'
import { formOf } from '#contract/text-form.ts'

export const postTypes = ['standard', 'premium', 'admin', 'generated'] as const
export const postMaxLength = 50_000
export const authorNameMaxLength = 80
export const postForms = ['verse', 'prose'] as const
export type PostForm = (typeof postForms)[number]
export const tagsMax = 5
export const tagMaxLength = 30
/** How many days a post that its author took back is kept. */
export const takenBackDays = 30
/** How many posts of one person appear without review in 24 hours. */
export const premiumPostsPerDay = 10
export const postPath = (id: string): string => `/posts/${id}`
/** The title of a post beside the name of its author: the beginning of its first line. */
export const firstWordsOf = ({ content }: Pick<Post, 'content'>): string =>
  cut(content.trim().split('\n', 1)[0]!.trim(), 60)
/** The title of a post in a tab and in link previews: its title, or the beginning of its first line, and its author. */
export const titleOf = (post: Pick<Post, 'content' | 'authorName'>): string =>
  `${formOf(post.content).title ?? firstWordsOf(post)} · ${post.authorName}`

/** The author name of posts whose author deleted their account. */
export const deletedAuthorName = 'Deleted user'

/** The category that the author chose. Null: it is guessed from the text. */
export const ChosenCategory = z.nullable(z.enum(categories))
/** The form that the author chose. Null: it is guessed from the text. */
export const ChosenForm = z.nullable(z.enum(postForms))

export const Post = z.object({
  id: Id,
  content: z.string(),
  authorName: z.string(),
  authorId: z.nullable(PersonId),
  postType: z.enum(postTypes),
  isVisible: z.boolean(),
  imageUrl: z.nullable(z.string()),
  createdAt: Instant,
  /** Null while the post waits for review; the feed's day, order and cursor use it. */
  publishedAt: z.nullable(Instant),
  /** When the published text last changed; null while it is the first one. */
  editedAt: z.nullable(Instant),
  category: ChosenCategory,
  tags: z.array(z.string()),
  form: ChosenForm,
  likeCount: z.int(),
  shareCount: z.int(),
  commentCount: z.int(),
  sortOrder: z.int(),
})
export type Post = z.infer<typeof Post>

/** A post that everybody may read. */
export const PublicPost = z.extend(Post, {
  /** Null unless `authorHasPage`: the id would name the author behind a pen name. */
  authorId: z.nullable(PersonId),
  /** Whether the post carries the name of an author whose page is on: then the name leads to the page. */
  authorHasPage: z.boolean(),
})
export type PublicPost = z.infer<typeof PublicPost>

/** Of a waiting post: the published post of which it is the new version. Null for a new post. */
export const replacesId = z.nullable(Id)

export const PendingPost = z.extend(Post, {
  status: z.literal('pending'),
  replacesId,
  /** The watched words in it, as admins have listed them. Left out when there is none. */
  watchedWords: z.optional(z.array(z.string())),
})
export type PendingPost = z.infer<typeof PendingPost>
