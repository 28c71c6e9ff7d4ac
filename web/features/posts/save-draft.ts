import type { QueryClient } from '@tanstack/react-query'
import type { Draft } from '#contract/drafts/draft.ts'
import { createDraft, getDraft, listDrafts, saveDraft } from '#contract/drafts/endpoints.ts'
import type { SentInput } from '#contract/endpoint.ts'
import { type EditablePost, getOwnPost } from '#contract/feed/own/endpoints.ts'
import { codeOf, queryKeyOf } from '#web/lib/api.ts'
import { saveOrConflict } from '#web/lib/editor/conflict.ts'
import type { StoredText } from '#web/lib/editor/save.ts'
import type { TextKind } from '#web/lib/editor/text-kind.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { randomId } from '#web/lib/session-keys.ts'
import { choicesHere, noChoices, type PostChoices } from './draft-choices.ts'
import { changePath, draftPath } from './paths.ts'

interface DraftCalls {
  create: (input: SentInput<typeof createDraft>) => Promise<Draft>
  change: (input: SentInput<typeof saveDraft>) => Promise<Draft>
}

interface DraftToStore {
  id: string | null
  postId: string | null
  content: string
  choices: PostChoices
  base: string | null
}

/** Stores a draft: a new one where `base` is null. */
export async function storeDraft(draft: DraftToStore, { create, change }: DraftCalls): Promise<Draft> {
  const { id, postId, content, choices, base } = draft
  const fields = { content, ...choices, tags: [...choices.tags] }
  const sendFrom = (from: string | null) =>
    from === null
      ? create({ ...fields, postId, ...(id !== null && { id }) })
      : change({ ...fields, base: from })
  try {
    return await sendFrom(base)
  } catch (error) {
    // Only the choices differ, or an earlier answer was lost: no text is lost when this one is saved.
    const current = error instanceof RequestError ? (error.current as Draft | undefined) : undefined
    if (current?.content === content) return sendFrom(current.updatedAt)
    throw error
  }
}

export function addToCache(client: QueryClient, draft: Draft): void {
  client.setQueryData(queryKeyOf(getDraft, { params: { id: draft.id } }), draft)
  // A person who leaves the sheet for the list of drafts reads the list while the draft is being saved.
  void readAgain(client, { queryKey: queryKeyOf(listDrafts) })
}

export const draftForm = ({ content, updatedAt }: Draft): StoredText => ({
  text: content,
  version: updatedAt,
})

export function choicesOf(stored: Draft | EditablePost | undefined): PostChoices {
  if (stored === undefined) return noChoices
  const { authorName, postType, form, category, tags } = stored
  return { authorName, postType: postType === 'premium' ? 'premium' : 'standard', form, category, tags }
}

export const postDrafts: TextKind = {
  prefix: 'draft',
  nouns: ['draft', 'drafts'],
  nameOf: (_id, text) => text.trimStart().split('\n', 1)[0]!,
  // The draft of a change has the id of the post.
  pathOf: (client, id) => {
    const isChange = client.getQueryData(queryKeyOf(getOwnPost, { params: { id } })) !== undefined
    return isChange ? changePath(id) : draftPath(id)
  },
  saveOf: (client, owner, id) =>
    saveOrConflict(
      async (content, base) => {
        const params = { id }
        const local = choicesHere(owner, id)
        const { chosen } = local.read()
        const original = base === null ? await originalOf(id, owner) : undefined
        const before =
          chosen === null && base !== null ? await send(getDraft, { params, personId: owner }) : original
        const draft = {
          id,
          postId: original?.id ?? null,
          content,
          choices: chosen ?? choicesOf(before),
          base,
        }
        const stored = await storeDraft(draft, {
          create: (input) => send(createDraft, { input, idempotencyKey: randomId(), personId: owner }),
          change: (input) => send(saveDraft, { params, input, idempotencyKey: randomId(), personId: owner }),
        })
        if (JSON.stringify(local.read().chosen) === JSON.stringify(chosen)) local.remove()
        return stored
      },
      draftForm,
      (draft) => addToCache(client, draft),
    ),
}

/** The post that a draft with this id changes. */
async function originalOf(id: string, owner: string): Promise<EditablePost | undefined> {
  try {
    return await send(getOwnPost, { params: { id }, personId: owner })
  } catch (error) {
    if (codeOf(error) !== 'PostNotFound') throw error
    return undefined
  }
}
