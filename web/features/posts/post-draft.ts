import * as z from 'zod/mini'

const Draft = z.object({
  content: z.string(),
  authorName: z.nullable(z.string()),
  type: z.enum(['standard', 'premium']),
})
/** `authorName` is null until the person has typed one. */
export type Draft = z.infer<typeof Draft>

export const emptyDraft: Draft = { content: '', authorName: null, type: 'standard' }

const keyOf = (personId: string | null) => `post-draft:${personId ?? 'visitor'}`

/** What was typed and not sent yet, of this person in this browser. */
export function readDraft(personId: string | null): Draft {
  try {
    const text = localStorage.getItem(keyOf(personId))
    return text === null ? emptyDraft : Draft.parse(JSON.parse(text))
  } catch {
    return emptyDraft
  }
}

/** Whether the draft is safe in this browser. */
export function keepDraft(personId: string | null, draft: Draft): boolean {
  try {
    if (draft.content === '' && draft.authorName === null) localStorage.removeItem(keyOf(personId))
    else localStorage.setItem(keyOf(personId), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export const forgetDraft = (personId: string | null): void => void keepDraft(personId, emptyDraft)
