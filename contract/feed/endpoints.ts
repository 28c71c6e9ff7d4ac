import * as z from 'zod/mini'
import { onOneLine, withLetters } from '#contract/account/fields.ts'
import { endpoint } from '#contract/endpoint.ts'
import {
  authorNameMaxLength,
  ChosenCategory,
  ChosenForm,
  PendingPost,
  Post,
  postMaxLength,
  postTypes,
  tagMaxLength,
  tagsMax,
} from '#contract/feed/post.ts'
import { PostIds, Reason } from '#contract/feed/review/endpoints.ts'
import { Id, Instant, Page, PersonId, Text } from '#contract/schemas.ts'
import { nfc } from '#contract/text.ts'

export const pendingPostsMax = 1000

export const contentField = Text(postMaxLength, 'Please write your post.')
const Tag = z.pipe(Text(tagMaxLength, 'Please write the tag.'), z.string().check(onOneLine, withLetters))
export const choiceFields = {
  category: z.optional(ChosenCategory),
  tags: z.optional(
    z.array(Tag).check(
      z.maxLength(tagsMax, `Please choose at most ${tagsMax} tags.`),
      z.refine(
        (tags) => new Set(tags.map((tag) => nfc(tag.trim()).toLowerCase())).size === tags.length,
        'Please write each tag once.',
      ),
    ),
  ),
  form: z.optional(ChosenForm),
}
const authorNameField = z.pipe(
  Text(authorNameMaxLength, 'Please enter an author name.'),
  z.string().check(onOneLine, withLetters),
)

/** A path on our own origin: never another host, never `//host` or a scheme. */
const OwnPath = z
  .string()
  .check(z.maxLength(2000), z.regex(/^\/(?![/\\])[\w\-./~%?=&]*$/, 'Images come from our own pages only.'))

export const submitPost = endpoint({
  summary: 'Submits a post for review.',
  description:
    'With `premium` the post may be published at once, or at the time `publishAt`. A draft of the caller is deleted with it when its `updatedAt` is still `draftBase`; the id of another draft is ignored.',
  method: 'POST',
  path: '/api/pending-posts',
  input: z.object({
    content: contentField,
    authorName: authorNameField,
    type: z.optional(z.enum(['standard', 'premium'])),
    ...choiceFields,
    /** When the post appears, at least a minute and at most a year ahead. Null: it is not scheduled. */
    publishAt: z._default(z.nullable(Instant), null),
    /** The draft of which the post was made. */
    draftId: z.optional(Id),
    /** The `updatedAt` of the draft that was sent. A newer draft stays. */
    draftBase: z.optional(Instant),
  }),
  output: z.object({ id: Id, status: z.enum(['pending', 'published', 'scheduled']), createdAt: Instant }),
  status: 201,
  errors: [
    'SubmissionsOff',
    'AuthorNameReserved',
    'SubmittedAlready',
    'PendingListFull',
    'ScheduledPostsFull',
    'PremiumOff',
  ],
})

export const createPost = endpoint({
  summary: 'Publishes a post of an admin.',
  description: 'With `publishAt` the post is scheduled, and its `publishedAt` is null until then.',
  method: 'POST',
  path: '/api/feed',
  input: z.object({
    content: contentField,
    authorName: authorNameField,
    /** Ignored: the acting admin is the author. */
    authorId: z.optional(z.nullable(PersonId)),
    postType: z._default(z.enum(postTypes), 'admin'),
    isVisible: z._default(z.boolean(), true),
    imageUrl: z._default(z.nullable(OwnPath), null),
    /** When the post appears, at least a minute and at most a year ahead. Null: at once. */
    publishAt: z._default(z.nullable(Instant), null),
    ...choiceFields,
  }),
  output: Post,
  status: 201,
  errors: ['ScheduledPostsFull'],
})

export const listPendingPosts = endpoint({
  summary: 'Lists the posts that wait for review, the newest first.',
  description:
    'Posts that were set aside are not among them. A page of long texts is shorter than `limit`: the list ends where `Next-Before` is missing.',
  method: 'GET',
  path: '/api/feed/pending',
  query: z.extend(Page(pendingPostsMax), {
    order: z.optional(z.enum(['newest', 'oldest'])),
    /** 'overdue': the promised week is over. 'soon': it ends within two days, or is over. */
    due: z.optional(z.enum(['soon', 'overdue'])),
  }),
  output: z.array(PendingPost),
})

export const approvePost = endpoint({
  summary: 'Publishes a post that waits for review.',
  description: 'A new version takes the place of the text of the post, which is the answer.',
  method: 'POST',
  path: '/api/feed/pending/:id/approve',
  params: z.object({ id: Id }),
  /** A call without a body is a call without a reason. */
  input: z.nullish(z.object({ reason: Reason })),
  output: Post,
  errors: ['PostNotFound', 'PostDecided', 'OwnPost'],
})

export const approvePosts = endpoint({
  summary: 'Publishes all of these posts, or none.',
  method: 'POST',
  path: '/api/admin/posts/bulk-approve',
  input: z.object({ postIds: PostIds, reason: Reason }),
  output: z.object({ approved: z.array(Id) }),
  errors: ['UnknownPosts', 'PostDecided', 'OwnPost'],
})
