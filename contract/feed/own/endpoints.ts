import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { choiceFields, contentField } from '#contract/feed/endpoints.ts'
import { ChosenCategory, ChosenForm, postTypes, takenBackDays } from '#contract/feed/post.ts'
import { Done, Id, Instant, Page } from '#contract/schemas.ts'

// The calls by which registered authors change their own posts and take them back.

export const versionsMax = 50
export const takenBackMax = 200
export const ownPostIdsMax = 1000
export const ownTextsMax = 200

const params = z.object({ id: Id })
const status = z.enum(['pending', 'published'])

/** The text that the author edits: the waiting version if there is one, else the text of the post. */
export const EditablePost = z.object({
  id: Id,
  content: z.string(),
  authorName: z.string(),
  postType: z.enum(postTypes),
  category: ChosenCategory,
  tags: z.array(z.string()),
  form: ChosenForm,
  status,
  hasWaitingVersion: z.boolean(),
  /** When the author wrote this text: the `base` of a change. */
  updatedAt: Instant,
  publishedAt: z.nullable(Instant),
  editedAt: z.nullable(Instant),
})
export type EditablePost = z.infer<typeof EditablePost>

export const listOwnPostIds = endpoint({
  summary: 'Lists the ids of the public posts of the caller, the newest first.',
  description: `At most ${ownPostIdsMax}. A public post does not name the author behind a pen name, so a page finds the own ones by these ids.`,
  method: 'GET',
  path: '/api/own-post-ids',
  output: z.array(Id),
})

export const getOwnPost = endpoint({
  summary: 'Answers an own post as its author edits it.',
  method: 'GET',
  path: '/api/own-posts/:id',
  params,
  output: EditablePost,
  errors: ['PostNotFound'],
})

export const changePost = endpoint({
  summary: 'Changes the text of an own post.',
  description:
    'A published post of the type `standard` keeps its text until the new version is approved. A post that waits for review gets another id. `createdAt` is the `base` of the next change. A choice that is left out stays as it is.',
  method: 'POST',
  path: '/api/own-posts/:id/versions',
  params,
  input: z.object({
    content: contentField,
    /** The `updatedAt` of the text that the author started from. */
    base: Instant,
    ...choiceFields,
  }),
  output: z.object({ id: Id, status, createdAt: Instant }),
  status: 201,
  errors: ['PostNotFound', 'PostConflict'],
  current: EditablePost,
})

/** An earlier text of a post. */
export const PostVersion = z.object({
  id: Id,
  content: z.string(),
  writtenAt: Instant,
  replacedAt: Instant,
  wasPublished: z.boolean(),
})
export type PostVersion = z.infer<typeof PostVersion>

/** An earlier text in a list: its beginning, and its length in characters. */
export const ListedPostVersion = z.object({
  id: Id,
  beginning: z.string(),
  length: z.int(),
  writtenAt: Instant,
  replacedAt: Instant,
  wasPublished: z.boolean(),
})
export type ListedPostVersion = z.infer<typeof ListedPostVersion>

export const listPostVersions = endpoint({
  summary: 'Lists the earlier texts of an own post, the last one first.',
  description: `At most ${versionsMax} are kept for a post.`,
  method: 'GET',
  path: '/api/own-posts/:id/versions',
  params,
  output: z.array(ListedPostVersion),
  errors: ['PostNotFound'],
})

export const getPostVersion = endpoint({
  summary: 'Answers an earlier text of an own post.',
  method: 'GET',
  path: '/api/own-posts/:id/versions/:versionId',
  params: z.object({ id: Id, versionId: Id }),
  output: PostVersion,
  errors: ['VersionNotFound'],
})

export const takingBackKinds = ['unpublished', 'deleted'] as const

export const takeBackPost = endpoint({
  summary: 'Takes an own post back: nobody can read it any more.',
  description: `It can be restored for ${takenBackDays} days. A call about a post that the caller took back before changes nothing. \`kind\` is what the list of posts that were taken back says.`,
  method: 'DELETE',
  path: '/api/own-posts/:id',
  params,
  query: z.object({ kind: z._default(z.enum(takingBackKinds), 'deleted') }),
  output: Done,
  errors: ['PostNotFound'],
})

export const restorePost = endpoint({
  summary: 'Restores a post that the caller took back.',
  description: 'Its id, its day and its counts are the same as before.',
  method: 'POST',
  path: '/api/own-posts/:id/restoration',
  params,
  output: z.object({ id: Id, status, createdAt: Instant }),
  status: 201,
  errors: ['PostNotFound'],
})

export const TakenBackPost = z.object({
  id: Id,
  beginning: z.string(),
  authorName: z.string(),
  postType: z.enum(postTypes),
  status,
  createdAt: Instant,
  publishedAt: z.nullable(Instant),
  takenBackAt: Instant,
  kind: z.enum(takingBackKinds),
})
export type TakenBackPost = z.infer<typeof TakenBackPost>

export const listTakenBackPosts = endpoint({
  summary: 'Lists the posts that the caller took back, the last one first.',
  method: 'GET',
  path: '/api/taken-back-posts',
  query: Page(takenBackMax),
  output: z.array(TakenBackPost),
})

/** An own post as a whole, in whichever state it is. */
export const OwnText = z.object({
  id: Id,
  status: z.enum(['pending', 'published', 'scheduled', ...takingBackKinds]),
  content: z.string(),
  authorName: z.string(),
  postType: z.enum(postTypes),
  category: ChosenCategory,
  tags: z.array(z.string()),
  form: ChosenForm,
  isVisible: z.boolean(),
  createdAt: Instant,
  publishedAt: z.nullable(Instant),
  editedAt: z.nullable(Instant),
  /** When a scheduled post will be published. */
  publishAt: z.nullable(Instant),
  takenBackAt: z.nullable(Instant),
  /** The new version of the published post, which waits for review or was set aside. */
  waitingVersion: z.nullable(
    z.object({
      content: z.string(),
      category: ChosenCategory,
      tags: z.array(z.string()),
      form: ChosenForm,
      writtenAt: Instant,
    }),
  ),
  /** The earlier texts, oldest first: `getPostVersion` answers each. */
  versionIds: z.array(Id),
})
export type OwnText = z.infer<typeof OwnText>

export const listOwnTexts = endpoint({
  summary: 'Lists the own posts as a whole, in every state, the newest first.',
  description:
    'Scheduled posts and posts that were taken back are among them. A page of long texts is shorter than `limit`: the list ends where `Next-Before` is missing.',
  method: 'GET',
  path: '/api/own-texts',
  query: Page(ownTextsMax),
  output: z.array(OwnText),
})

export const deleteTakenBackPost = endpoint({
  summary: 'Deletes a post that the caller took back, with its versions.',
  method: 'DELETE',
  path: '/api/taken-back-posts/:id',
  params,
  output: Done,
  errors: ['PostNotFound'],
})
