import type { QueryClient } from '@tanstack/react-query'
import type { Draft, DraftKey } from '#web/lib/editor/draft.ts'
import { allDraftsOf } from '#web/lib/editor/drafts.ts'
import { ConflictError, type Save } from '#web/lib/editor/save.ts'
import { sendDraft } from '#web/lib/editor/send-draft.ts'
import { kindOfPlace, type TextKind } from '#web/lib/editor/text-kind.ts'
import { loggable, RequestError } from '#web/lib/request.ts'
import type { Ask } from '#web/ui/alerts.tsx'

// Loaded when a person with unsaved text logs out.

interface LeavingPerson {
  /** The account to save in, null for a person without one. */
  personId: string | null
  /** What the account can save. */
  textKinds: TextKind[]
  /** Whether this browser still holds text of the person that is saved nowhere. */
  hasUnsaved: () => Promise<boolean>
  client: QueryClient
  ask: Ask
  alert: (text: string) => Promise<void>
}

/** Offers to save what the account can save, and returns whether the person may be logged out. */
export async function mayLogOutWithUnsavedText(person: LeavingPerson): Promise<boolean> {
  const { hasUnsaved, ask, alert } = person
  const drafts = await savableDraftsOf(person)
  const canSave = drafts.length > 0
  const state = canSave ? 'not saved yet' : 'kept in this browser only'
  const withoutSaving = 'Log out without saving'
  let saving: Promise<string | null> | undefined
  const answer = await ask({
    text: `Some of your text is ${state}. Logging out removes it from this device.`,
    verb: canSave ? 'Save and log out' : withoutSaving,
    otherVerb: canSave ? withoutSaving : undefined,
    danger: !canSave,
    action: canSave ? () => (saving = failureOfSavingAll(drafts)) : undefined,
  })
  if (answer === false) return false
  if (answer === 'other' || !canSave) return true
  const failure = await saving
  if (failure) {
    await alert(`Not saved. ${failure}`)
    return false
  }
  // Other texts may be left, such as a comment that was not sent.
  return !(await hasUnsaved()) || mayLogOutWithUnsavedText(person)
}

interface SavableDraft extends Draft {
  key: DraftKey
  name: string
  save: Save
}

async function savableDraftsOf({ personId, textKinds, client }: LeavingPerson): Promise<SavableDraft[]> {
  // A database that cannot be opened holds no drafts.
  const drafts = personId === null ? [] : await allDraftsOf(personId).catch(() => [])
  return drafts.flatMap(([key, draft]) => {
    const [owner, place] = key
    const found = kindOfPlace(textKinds, place)
    if (found === undefined) return []
    const { kind, key: id } = found
    return [{ ...draft, key, name: kind.nameOf(id, draft.text), save: kind.saveOf(client, owner, id) }]
  })
}

/** Saves one draft after the other, up to the first failure. */
async function failureOfSavingAll(drafts: SavableDraft[]): Promise<string | null> {
  for (const draft of drafts) {
    const failure = await failureOfSaving(draft)
    if (failure !== null) return failure
  }
  return null
}

async function failureOfSaving({ key, name, save, ...draft }: SavableDraft): Promise<string | null> {
  try {
    await sendDraft(save, key, draft)
    return null
  } catch (error) {
    console.error('Failed to save before logging out', loggable(error))
    const refusal = error instanceof ConflictError ? error.cause : error
    if (!(refusal instanceof RequestError)) return `${name}: Check the connection and try again.`
    if (refusal.status === 401) return 'Log in and try again; your text is kept here.'
    return `${name}: ${refusal.error ?? 'Check the connection and try again.'}`
  }
}
