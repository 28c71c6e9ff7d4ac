import { createDraft, deleteDraft, getDraft, listDrafts, saveDraft } from '#contract/drafts/endpoints.ts'
import { type CallRow, draftIdOf, people, peopleAdd, row, someTime, userAlone } from './row.ts'

const someDraft = {
  content: 'A line that is not ready',
  authorName: 'Nia',
  postType: 'premium',
  form: 'verse',
  category: 'Poetry',
  tags: ['night'],
}

export const draftsCalls: readonly CallRow[] = [
  row(listDrafts, people, () => ({ query: { limit: '50' } })),
  row(createDraft, peopleAdd, ({ next, published }) => ({
    input: {
      ...someDraft,
      id: draftIdOf(next()),
      postId: published,
      createdAt: someTime,
      updatedAt: someTime,
    },
  })),
  row(getDraft, userAlone, ({ draft }) => ({ params: { id: draft.id } })),
  row(saveDraft, userAlone, ({ draft }) => ({
    params: { id: draft.id },
    input: { ...someDraft, base: draft.updatedAt },
  })),
  row(deleteDraft, userAlone, ({ draft }) => ({ params: { id: draft.id } })),
]
