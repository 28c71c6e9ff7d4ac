import type { QueryClient } from '@tanstack/react-query'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { diaryDate } from '#contract/diary/dates.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { answersOf } from '#web/lib/api.ts'
import { allDraftsOf, type Draft, type DraftKey, forgetDrafts } from '#web/lib/editor/drafts.ts'
import { RequestError, send } from '#web/lib/request.ts'
import { randomId } from '#web/lib/session-storage.ts'
import type { Ask } from '#web/ui/alerts.tsx'

// Loaded when a person with unsaved text logs out.

interface LeavingPerson {
  /** The account to save in, null for a person without one. */
  personId: string | null
  /** Whether this browser still holds text of the person that is saved nowhere. */
  hasUnsaved: () => Promise<boolean>
  client: QueryClient
  ask: Ask
  alert: (text: string) => Promise<void>
}

/** Offers to save what the account can save, and returns whether the person may be logged out. */
export async function mayLogOutWithUnsavedText(person: LeavingPerson): Promise<boolean> {
  const { personId, hasUnsaved, client, ask, alert } = person
  const drafts = await savableDraftsOf(personId)
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
  // The open editors learn which of the drafts are saved.
  const refresh = () => void client.invalidateQueries(answersOf(read))
  if (answer === false) {
    void saving?.then(refresh)
    return false
  }
  if (answer === 'other' || !canSave) return true
  const failure = await saving
  if (failure) {
    refresh()
    await alert(`Not saved. ${failure}`)
    return false
  }
  // Other texts may be left, such as a comment that was not sent.
  return !(await hasUnsaved()) || mayLogOutWithUnsavedText(person)
}

const read = [getDiary, getDiaryEntry, getCalendar]

const entry = {
  name: 'Diary entry',
  save: (date: string, content: string, base: string | null) =>
    send(saveDiaryEntry, { input: { date, content, base }, idempotencyKey: randomId() }),
}
const note = {
  name: 'Note',
  save: (date: string, text: string, base: string | null) =>
    send(saveCalendarNote, { input: { date, note: text, base }, idempotencyKey: randomId() }),
}

interface SavableDraft extends Draft {
  key: DraftKey
  day: string
  kind: typeof entry | typeof note
}

async function savableDraftsOf(personId: string | null): Promise<SavableDraft[]> {
  // A database that cannot be opened holds no drafts.
  const drafts = personId === null ? [] : await allDraftsOf(personId).catch(() => [])
  return drafts.flatMap(([key, draft]) => {
    const [, place, day] = /^(diary|notes)\/(.+)$/.exec(key[1]) ?? []
    return day === undefined ? [] : [{ ...draft, key, day, kind: place === 'diary' ? entry : note }]
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

async function failureOfSaving({ key, day, kind, text, base }: SavableDraft): Promise<string | null> {
  try {
    await kind.save(day, text, base)
  } catch (error) {
    const refusal = error instanceof RequestError ? error : null
    const stored = refusal?.current as { content: string } | undefined
    if (stored?.content !== text) {
      console.error('Failed to save before logging out', error)
      if (refusal?.status === 401) return 'Log in and try again; your text is kept here.'
      const reason = refusal?.error ?? 'Check the connection and try again.'
      return `${kind.name} of ${diaryDate(day)}: ${reason}`
    }
  }
  await forgetDrafts([key])
  return null
}
