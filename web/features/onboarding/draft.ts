import * as z from 'zod/mini'

const Draft = z.object({
  page: z.number(),
  name: z.string(),
  email: z.string(),
  writingSample: z.string(),
})
/** What somebody typed on the way in. The passcode is never written down: after a reload it is asked again. */
export type Draft = z.infer<typeof Draft>

const key = 'onboarding-draft'
export const emptyDraft: Draft = { page: 1, name: '', email: '', writingSample: '' }

/** Lasts as long as this tab, through reloads. */
export function readDraft(): Draft {
  try {
    const text = sessionStorage.getItem(key)
    if (text === null) return emptyDraft
    const draft = Draft.parse(JSON.parse(text))
    // The last page needs the passcode, which is not kept.
    return { ...draft, page: Math.min(Math.max(1, draft.page), 3) }
  } catch {
    return emptyDraft
  }
}

export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Then a reload starts anew.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}
