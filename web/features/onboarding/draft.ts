import { storedJson, storedText } from '#web/lib/storage.ts'
import { storedRow } from '#web/lib/stored-row.ts'

/** The typed text of the onboarding. The passcode is never stored: a person types it again after a reload. */
export interface Draft {
  page: number
  name: string
  email: string
  writingSample: string
}

const schema = storedRow<Draft>({ page: 'number', name: 'string', email: 'string', writingSample: 'string' })
export const emptyDraft: Draft = { page: 1, name: '', email: '', writingSample: '' }
const area = 'sessionStorage'
const storedDraft = storedJson({ area, key: 'onboarding-draft', schema, fallback: emptyDraft })
const unanswered = storedText('onboarding-unanswered', { area })

/** The draft lasts as long as this tab, through reloads. */
export function readDraft(): Draft {
  const draft = storedDraft.read()
  // The last page comes after the passcode, which was not kept.
  return { ...draft, page: Math.min(Math.max(1, draft.page), 3) }
}

export const keepDraft = (draft: Draft): void => void storedDraft.write(draft)

export function forgetDraft(): void {
  storedDraft.remove()
  unanswered.remove()
}

/** Whether a registration of this address was sent and got no answer: then it may have succeeded. */
export const isUnanswered = (email: string): boolean => unanswered.read() === email
export const markUnanswered = (email: string): boolean => unanswered.write(email)
export const clearUnanswered = (): void => unanswered.remove()
