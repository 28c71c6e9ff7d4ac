import type { Draft, DraftKey } from './draft.ts'
import { replaceDraft } from './drafts.ts'
import { type Save, saveOnce } from './save.ts'
import { afterFailure } from './requested-save.ts'

/**
 * Saves a draft that is in no editor, and removes it. A text whose answer was lost is repeated first: if the server has it,
 * the draft continues from there. Throws the failure, which the draft then has too. Does nothing more with a draft that an
 * editor changes meanwhile.
 */
export async function sendDraft(save: Save, key: DraftKey, draft: Draft): Promise<void> {
  const { text, waiting: { since = new Date().toISOString(), sent = text } = {} } = draft
  let { base } = draft
  let kept = draft
  const replace = async (next: Draft | undefined) => {
    try {
      if (!(await replaceDraft(key, kept, next))) return false
      if (next) kept = next
    } catch {
      // The storage is full. The draft stays as it is, and has the text.
    }
    return true
  }
  for (const each of sent === text ? [text] : [sent, text]) {
    const waiting = { since, sent: each }
    if (!(await replace({ text, base, waiting }))) return
    try {
      base = (await saveOnce(save, each, base)).version
    } catch (error) {
      await replace({ ...kept, waiting: afterFailure(waiting, waiting, error) ?? waiting })
      throw error
    }
  }
  await replace(undefined)
}
