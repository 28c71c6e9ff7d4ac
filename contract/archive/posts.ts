import { getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import { getPostVersion, listOwnTexts, type OwnText } from '#contract/feed/own/endpoints.ts'
import { allOf, type ArchiveCalls, rowsOf } from './calls.ts'
import type { ArchiveFile } from './file.ts'
import { writeFrontMatter } from './front-matter.ts'
import { draftPath, postPath, postVersionPath, waitingVersionPath } from './layout.ts'

/** The own posts in every state, each followed by its other texts. */
export async function* postFiles(calls: ArchiveCalls): AsyncGenerator<ArchiveFile> {
  for await (const post of rowsOf(calls, listOwnTexts)) {
    const { id, content, createdAt, publishedAt, waitingVersion, versionIds } = post
    const day = (publishedAt ?? createdAt).slice(0, 10)
    yield { path: postPath(day, id), content: writeFrontMatter(fieldsOf(post), content) }
    if (waitingVersion !== null) yield waitingFile(id, waitingVersion)
    for (const versionId of versionIds) yield* versionFiles(calls, id, versionId)
  }
}

/** The fields that few posts have are left out where they say nothing. */
const fieldsOf = ({ id, status, authorName, postType, category, tags, form, ...post }: OwnText) => ({
  id,
  status,
  author_name: authorName,
  type: postType,
  created_at: post.createdAt,
  published_at: post.publishedAt,
  category,
  tags,
  ...(form !== null && { form }),
  ...(post.editedAt !== null && { edited_at: post.editedAt }),
  ...(post.publishAt !== null && { publish_at: post.publishAt }),
  ...(post.takenBackAt !== null && { taken_back_at: post.takenBackAt }),
  ...(!post.isVisible && { is_visible: false }),
})

function waitingFile(postId: string, version: NonNullable<OwnText['waitingVersion']>): ArchiveFile {
  const { content, writtenAt, category, tags, form } = version
  const fields = { post_id: postId, status: 'pending', written_at: writtenAt, category, tags }
  return {
    path: waitingVersionPath(postId),
    content: writeFrontMatter({ ...fields, ...(form !== null && { form }) }, content),
  }
}

async function* versionFiles(
  calls: ArchiveCalls,
  postId: string,
  versionId: string,
): AsyncGenerator<ArchiveFile> {
  const version = (await calls.read(getPostVersion, { params: { id: postId, versionId } }))?.output
  if (version === undefined) return
  const { id, content, writtenAt, replacedAt, wasPublished } = version
  const fields = { id, post_id: postId, written_at: writtenAt, replaced_at: replacedAt }
  yield {
    path: postVersionPath(postId, writtenAt.slice(0, 10), id),
    content: writeFrontMatter({ ...fields, was_published: wasPublished }, content),
  }
}

export async function* draftFiles(calls: ArchiveCalls): AsyncGenerator<ArchiveFile> {
  for await (const id of draftIds(calls)) {
    const draft = (await calls.read(getDraft, { params: { id } }))?.output
    if (draft === undefined) continue
    const { content, postId, authorName, postType, form, category, tags, createdAt, updatedAt } = draft
    const fields = {
      id,
      post_id: postId,
      author_name: authorName,
      type: postType,
      form,
      category,
      tags,
      created_at: createdAt,
      updated_at: updatedAt,
    }
    yield { path: draftPath(id), content: writeFrontMatter(fields, content) }
  }
}

/**
 * The ids of the drafts, the last changed one first. A draft that is saved meanwhile moves to the beginning of the list,
 * before the cursor: the list is read once more, and what was missed is added.
 */
async function* draftIds(calls: ArchiveCalls): AsyncGenerator<string> {
  const ids = await allIds(calls)
  yield* ids
  const found = new Set(ids)
  for (const id of await allIds(calls)) if (!found.has(id)) yield id
}

const allIds = async (calls: ArchiveCalls) => (await allOf(calls, listDrafts)).map(({ id }) => id)
