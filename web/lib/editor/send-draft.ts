import type { Draft, DraftKey } from './draft.ts'
import { replaceDraft } from './drafts.ts'
import { type Save, saveOnce } from './save.ts'
import { afterFailure } from './requested-save.ts'

/**
 * Saves a draft that is in no editor, and removes it. An earlier attempt may have sent another text and lost its answer: that text is
 * sent again first, and its answer gives the base for the text of the draft. Stores a failure in the draft, and throws it. Stops when
 * an editor has changed the draft meanwhile.
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
