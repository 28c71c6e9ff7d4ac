import * as z from 'zod/mini'

const Draft = z.object({
  page: z.number(),
  name: z.string(),
  email: z.string(),
  writingSample: z.string(),
})
/** What somebody typed on the way in. The passcode is never written down: after a reload it is asked again. */
export type Draft = z.infer<typeof Draft>

const emptyDraft: Draft = { page: 1, name: '', email: '', writingSample: '' }
const draftKey = 'onboarding-draft'
const unheardKey = 'onboarding-unheard'

/** Lasts as long as this tab, through reloads. */
export function readDraft(): Draft {
  try {
    const draft = Draft.parse(JSON.parse(sessionStorage.getItem(draftKey) ?? ''))
    // The last page comes after the passcode, which was not kept.
    return { ...draft, page: Math.min(Math.max(1, draft.page), 3) }
  } catch {
    return emptyDraft
  }
}

export const keepDraft = (draft: Draft): void => keep(draftKey, JSON.stringify(draft))

export function forgetDraft(): void {
  forget(draftKey)
  forget(unheardKey)
}

/** Whether a registration of this address was sent and its answer never came: then it may have succeeded. */
export function isUnheard(email: string): boolean {
  try {
    return sessionStorage.getItem(unheardKey) === email
  } catch {
    return false
  }
}

export const markUnheard = (email: string): void => keep(unheardKey, email)
export const markHeard = (): void => forget(unheardKey)

function keep(key: string, text: string) {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    // Then a reload starts anew.
  }
}

function forget(key: string) {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}
